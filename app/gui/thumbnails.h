// Collected figures as small pictures: computed and painted on a thread of their own, kept while the figure is.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "app/figure/scene.h"
#include "app/recipe/recipe.h"
#include "app/recipe/runner.h"

namespace orrery::gui {

struct Thumbnail {
  figure::Image image;
  Phrase left_out{};  ///< what the page has no room for; empty: it has room for all
  Complaint error{};  ///< why there is no picture; empty: there is one
};

class Thumbnails {
 public:
  using Recipe = std::shared_ptr<const recipe::Recipe>;
  using Outcome = std::shared_ptr<const recipe::Outcome>;

  /// `wake` is called from another thread whenever there is a new one.
  explicit Thumbnails(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
  ~Thumbnails();

  /// At most so many device pixels wide and high. nullptr while it is being made: the first asking makes it. With the
  /// outcome of that recipe nothing is computed for it, only painted.
  std::shared_ptr<const Thumbnail> find(const Recipe&, int width, int height, const Outcome& = nullptr);
  bool busy() const;

 private:
  struct Kept {
    Recipe recipe;  // keeps the address from being another's
    Outcome outcome;
    int width = 0, height = 0;
    std::shared_ptr<const Thumbnail> made;
  };
  void work(const std::stop_token&);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable_any wanted_;
  std::map<const recipe::Recipe*, Kept> kept_;
  std::deque<Recipe> queue_;
  bool working_ = false;
  std::jthread worker_;  // begins with the first figure, ends before all else goes
};

}  // namespace orrery::gui
