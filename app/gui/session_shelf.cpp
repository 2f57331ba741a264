#include "app/gui/session_shelf.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <string>

#include "core/file/listing.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view session_beginning = "session.", ending = ".toml";
constexpr std::size_t most_left = 8;  // older ones go

/// Of "session.12.toml" and "session.12-1.toml": 12; 0: of no window.
int process_of(const fs::path& file) {
  const std::string name = file.filename().string();
  if (!name.starts_with(session_beginning) || !name.ends_with(ending)) return 0;
  if (name.size() <= session_beginning.size() + ending.size()) return 0;
  int process = 0;
  const char* end = name.data() + name.size() - ending.size();
  const auto [stop, wrong] = std::from_chars(name.data() + session_beginning.size(), end, process);
  return wrong == std::errc() && (stop == end || *stop == '-') ? process : 0;
}

fs::file_time_type written(const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  return error ? fs::file_time_type::min() : time;
}

Session session_in(const fs::path& file) {
  return session_of_file(file).session;
}

/// Renames where there is nothing of that name; false where there is.
bool takes_place(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  std::error_code error;  // a file system that cannot do it in one step
  fs::rename(from, to, error);
  return true;
}

bool same_work(const Session& a, const Session& b) {
  const auto work = [](const Session& s) {
    Session only;
    only.document = s.document;
    only.document.panes = {};
    only.left = s.left;
    return to_toml(only);
  };
  return work(a) == work(b);
}

}  // namespace

SessionShelf::SessionShelf(fs::path last)
    : last_(std::move(last)),
      own_(last_.parent_path() /
           (std::string(session_beginning) + std::to_string(::getpid()) + std::string(ending))) {
  // Processes are numbered anew after a while: what an earlier one of this number left is not this one's.
  std::error_code error;
  if (fs::exists(own_, error)) fs::rename(own_, unused(::getpid()), error);
}

fs::path SessionShelf::unused(int process) const {
  std::error_code error;
  for (int n = 1;; ++n) {
    fs::path name = last_.parent_path() / (std::string(session_beginning) + std::to_string(process) + "-" +
                                           std::to_string(n) + std::string(ending));
    if (!fs::exists(name, error)) return name;
  }
}

std::vector<fs::path> SessionShelf::files() const {
  std::vector<fs::path> found;
  file::Listing files(last_.parent_path());
  while (const auto path = files.next())
    if (process_of(*path) > 0) found.push_back(*path);
  std::ranges::sort(found, std::ranges::greater(), written);
  return found;
}

std::vector<LeftWindow> SessionShelf::left(const std::vector<int>& running) const {
  std::vector<LeftWindow> all;
  std::error_code ignored;
  for (const fs::path& file : files()) {
    if (file == own_) continue;
    if (file.stem().extension() == "." + std::to_string(process_of(file)) &&
        std::ranges::find(running, process_of(file)) != running.end())
      continue;
    const ReadSession found = session_of_file(file);
    const Document& d = found.session.document;
    if (all.size() == most_left || (!d.live.study && found.fault.empty())) {
      fs::remove(file, ignored);
      continue;
    }
    if (!d.live.study) continue;
    all.push_back({file, process_of(file), std::string(d.live.study->title), d.tray ? d.tray->size() : 0});
  }
  return all;
}

bool SessionShelf::take_over(const fs::path& file) const {
  std::error_code error;
  fs::rename(file, own_, error);
  return !error;
}

Session SessionShelf::begin_afresh() const {
  std::vector<fs::path> all = files();
  std::erase(all, own_);
  if (all.empty()) return {};
  const Session newest = session_in(all.front());
  Session afresh;
  afresh.preferences = newest.preferences;
  afresh.page = newest.page;
  afresh.page.name.clear();
  afresh.recent = newest.recent;
  afresh.document.panes = newest.document.panes;
  afresh.document.panes.tray_shown = false;
  afresh.width = newest.width;
  afresh.height = newest.height;
  return afresh;
}

void SessionShelf::close() const {
  std::error_code error;
  if (!fs::exists(own_, error)) return;
  // Windows that end together, as all do at the end of a desktop's session, find the place free at the same moment: it is taken
  // or not in one step, and what was there is moved away before it is looked at.
  constexpr int most_windows = 100;
  for (int n = 0; n < most_windows && !takes_place(own_, last_); ++n) {
    const fs::path before = unused(::getpid());
    fs::rename(last_, before, error);
    if (error) continue;
    const Session was = session_in(before);
    if (!was.document.live.study || same_work(was, session_in(own_))) fs::remove(before, error);
  }
}

}  // namespace orrery::gui
