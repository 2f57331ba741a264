#include "app/gui/presence.h"

#include <algorithm>

#include "core/file/listing.h"

namespace orrery::gui {

namespace fs = std::filesystem;

namespace {

bool has_tables(const fs::path& file) {
  const std::string before = file.stem().string() + ".", ending = file.extension().string();
  file::Listing files(file.parent_path());
  while (const auto path = files.next()) {
    const std::string name = path->filename().string();
    if (name.size() > before.size() + ending.size() && name.starts_with(before) && name.ends_with(ending))
      return true;
  }
  return false;
}

}  // namespace

const std::optional<Presence::Answer>& Presence::of(Ui& ui, const std::vector<fs::path>& files,
                                                    bool perhaps_tables) {
  constexpr double fresh = 1;  // seconds
  inquiry_.poll();
  const double now = ImGui::GetTime();
  const bool others = files != files_, again = answer_ && now - asked_ > fresh;
  if (!files.empty() && (others || (again && !inquiry_.pending()))) {
    if (others) answer_.reset();
    files_ = files;
    asked_ = now;
    const fs::path folder = files.front().parent_path();
    const auto find = [this, files, folder, perhaps_tables]() -> Inquiry::Then {
      std::error_code ignored;
      Answer found;
      found.folder = fs::exists(folder, ignored);
      found.files = static_cast<std::size_t>(std::ranges::count_if(files, [&](const fs::path& each) {
        return fs::exists(each, ignored) || (perhaps_tables && has_tables(each));
      }));
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
