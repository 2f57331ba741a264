#include "app/gui/thumbnails.h"

#include <utility>

#include "app/export/thumbnail.h"
#include "app/render/jobs.h"
#include "app/render/left_out.h"
#include "app/render/make.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

constexpr double any_dpi = 300;  // the picture has its own

Thumbnail made_of(const recipe::Recipe& recipe, const Thumbnails::Outcome& known, int width, int height,
                  const std::stop_token& stop) {
  try {
    const Thumbnails::Outcome outcome =
        known ? known : std::make_shared<const recipe::Outcome>(render::compute(recipe, stop));
    const render::Paper paper(recipe, outcome->result.figure, any_dpi);
    exporter::Thumbnail made = exporter::thumbnail(paper.figure(), paper.page(), width, height);
    return {std::move(made.image), render::left_out_phrase(made.left_out), {}};
  } catch (const Cancelled&) {
    return {{}, {}, render::cancelled()};
  } catch (const std::exception& error) {
    return {{}, {}, complaint_of(error)};
  }
}

}  // namespace

Thumbnails::~Thumbnails() {
  worker_.request_stop();
}

std::shared_ptr<const Thumbnail> Thumbnails::find(const Recipe& recipe, int width, int height,
                                                  const Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  Kept& kept = kept_[recipe.get()];
  if (kept.recipe && kept.width == width && kept.height == height) return kept.made;
  kept = {recipe, outcome, width, height, nullptr};
  queue_.push_back(recipe);
  // What nobody else holds any longer, not even a step of undo, is not asked for again.
  std::erase_if(kept_,
                [](const auto& entry) { return entry.second.made && entry.second.recipe.use_count() == 1; });
  if (!worker_.joinable()) worker_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  wanted_.notify_one();
  return nullptr;
}

bool Thumbnails::busy() const {
  const std::lock_guard lock(mutex_);
  return working_ || !queue_.empty();
}

void Thumbnails::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (wanted_.wait(lock, stop, [&] { return !queue_.empty(); })) {
    const Recipe recipe = std::move(queue_.front());
    queue_.pop_front();
    const auto at = kept_.find(recipe.get());
    if (at == kept_.end() || at->second.made) continue;
    const Outcome outcome = std::exchange(at->second.outcome, nullptr);
    const int width = at->second.width, height = at->second.height;
    working_ = true;
    lock.unlock();
    auto made = std::make_shared<const Thumbnail>(made_of(*recipe, outcome, width, height, stop));
    lock.lock();
    working_ = false;
    // Another size may have been asked for meanwhile; then it is in the queue again.
    if (const auto now = kept_.find(recipe.get()); now != kept_.end() && now->second.width == width)
      now->second.made = std::move(made);
    if (wake_) wake_();
  }
}

}  // namespace orrery::gui
