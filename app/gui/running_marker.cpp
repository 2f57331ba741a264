#include "app/gui/running_marker.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/file/listing.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark_beginning = "running.";

constexpr unsigned long long over = ~0ULL;  // it has ended, and only who started it has not taken note

/// All of a small file, "" when there is none. What has no memory throws: `>>` of a stream would keep it for itself, and
/// a window that runs would be taken for one that fell.
std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// When a process began, in ticks since the machine did: its number alone may be another program's by now. 0: unknown.
unsigned long long start_of(pid_t process) {
  const std::string text = text_of("/proc/" + std::to_string(process) + "/stat");
  // The name, in parentheses, may hold anything; twenty fields after it stands the time.
  std::size_t at = text.rfind(')');
  const auto state = [&] { return at + 2 < text.size() ? text[at + 2] : ' '; };
  if (at != text.npos && (state() == 'Z' || state() == 'X')) return over;
  for (int field = 0; field < 20 && at != text.npos; ++field) at = text.find(' ', at + 1);
  unsigned long long ticks = 0;
  if (at != text.npos) std::from_chars(text.data() + at + 1, text.data() + text.size(), ticks);
  return ticks;
}

struct Mark {
  unsigned long long start = 0;
  int restored = 0;
  int settled = 1;
};

/// Three numbers with a space between; what a file without them leaves out stays as it begins.
Mark read_mark(const fs::path& file) {
  const std::string text = text_of(file);
  const char *at = text.data(), *const end = at + text.size();
  const auto read = [&](auto& number) {
    while (at != end && *at == ' ') ++at;
    at = std::from_chars(at, end, number).ptr;
  };
  Mark mark;
  read(mark.start);
  read(mark.restored);
  read(mark.settled);
  return mark;
}

bool alive(pid_t process, const Mark& mark) {
  return (::kill(process, 0) == 0 || errno == EPERM) && start_of(process) == mark.start;
}

}  // namespace

RunningMarker::RunningMarker(fs::path folder)
    : file_(std::move(folder) / (std::string(mark_beginning) + std::to_string(::getpid()))) {
  std::error_code error;
  fs::create_directories(file_.parent_path(), error);
  std::vector<fs::path> dead;
  file::Listing marks(file_.parent_path());
  while (const auto path = marks.next()) {
    const std::string name = path->filename().string();
    if (!name.starts_with(mark_beginning)) continue;
    pid_t process = 0;
    const auto [stop, wrong] =
        std::from_chars(name.data() + mark_beginning.size(), name.data() + name.size(), process);
    if (wrong != std::errc() || stop != name.data() + name.size() || process <= 0) continue;
    const Mark mark = read_mark(*path);
    if (process != ::getpid() && alive(process, mark)) {
      running_.push_back(process);
      continue;
    }
    dead.push_back(*path);
    ended_.push_back(process);
    const bool again = mark.settled == 0 && mark.restored > 0;
    before_ = std::max(before_, again ? Before::crashed_again : Before::crashed);
    restored_ = std::max(restored_, mark.settled != 0 ? 1 : mark.restored + 1);
  }
  for (const fs::path& each : dead) fs::remove(each, error);
  if (before_ == Before::crashed_again) restored_ = 0;  // what was bad is put aside: a new mark_beginning
  write(false);
}

RunningMarker::~RunningMarker() {
  end();
}

void RunningMarker::end() {
  if (std::exchange(ended_now_, true)) return;
  std::error_code ignored;
  fs::remove(file_, ignored);
}

void RunningMarker::leave() {
  ended_now_ = true;
}

void RunningMarker::settled() {
  write(true);
}

void RunningMarker::write(bool settled) const {
  std::ofstream(file_) << start_of(::getpid()) << ' ' << restored_ << ' ' << settled << '\n';
}

}  // namespace orrery::gui
