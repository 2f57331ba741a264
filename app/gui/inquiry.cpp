#include "app/gui/inquiry.h"

#include <utility>

namespace orrery::gui {

void Inquiry::ask(const std::string& place, std::function<Then()> find, Otherwise otherwise,
                  std::function<void()> wake, std::chrono::milliseconds wait) {
  place_ = place;
  asked_ = std::chrono::steady_clock::now();
  otherwise_ = std::move(otherwise);
  reading_ = study::Reading<Then>(place, std::move(find), std::move(wake));
  reading_.wait_for(wait);
  poll();
}

void Inquiry::poll() {
  if (!reading_.asked()) return;
  const bool late = std::chrono::steady_clock::now() - asked_ >= longest;
  if (!reading_.ready() && !late) return;
  // What is done may ask anew.
  auto answered = std::exchange(reading_, {});
  const Otherwise otherwise = std::exchange(otherwise_, {});
  const auto errand = std::exchange(errand_, {});
  Then then;
  try {
    if (!answered.ready()) throw Failure(wrong("does not answer").within(in_file(place_)));
    then = answered.take();
  } catch (const std::exception& error) {
    if (errand) errand->fail();
    if (otherwise) otherwise(complaint_of(error));
    return;
  }
  if (then) then();
}

}  // namespace orrery::gui
