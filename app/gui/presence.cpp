#include "app/gui/presence.h"

#include <algorithm>

namespace orrery::gui {

namespace fs = std::filesystem;

const std::optional<Presence::Answer>& Presence::of(Ui& ui, const std::vector<fs::path>& files) {
  constexpr double fresh = 1;  // seconds
  inquiry_.poll();
  const double now = ImGui::GetTime();
  const bool others = files != files_, again = answer_ && now - asked_ > fresh;
  if (!files.empty() && (others || (again && !inquiry_.pending()))) {
    if (others) answer_.reset();
    files_ = files;
    asked_ = now;
    const fs::path folder = files.front().parent_path();
    const auto find = [this, files, folder]() -> Inquiry::Then {
      std::error_code ignored;
      Answer found;
      found.folder = fs::exists(folder, ignored);
      found.files = static_cast<std::size_t>(
          std::ranges::count_if(files, [&](const fs::path& each) { return fs::exists(each, ignored); }));
      return [this, found] { answer_ = found; };
    };
    const auto wait = others ? Inquiry::glance : std::chrono::milliseconds(0);
    inquiry_.ask(
        folder.string(), find, [this](const Complaint& why) { answer_ = Answer{.error = why}; }, {}, wait);
  }
  if (inquiry_.pending() && !answer_) ui.await();
  return answer_;
}

void Presence::forget() {
  files_.clear();
  answer_.reset();
  inquiry_.drop();
}

}  // namespace orrery::gui
