// Text that is never set: where memory is short, fontconfig answers Pango's request for the list of typefaces with nothing, and
// Pango (1.50, 1.56) waits for that answer for ever.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace orrery::exporter {

/// For as long as this lives: where text is being set and the program has computed nothing at all for so long, `give_up` is
/// called, from a thread of its own. Waiting for a slow disk's typefaces is such a time too: it should be long.
class FontStallWatch {
 public:
  FontStallWatch(std::chrono::milliseconds patience, std::function<void()> give_up);
  ~FontStallWatch();
  FontStallWatch(const FontStallWatch&) = delete;
  FontStallWatch& operator=(const FontStallWatch&) = delete;

 private:
  void watch(std::chrono::milliseconds patience);

  const std::function<void()> give_up_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace orrery::exporter
