#include "core/file/temporary.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

#include "core/file/descriptor.h"

namespace orrery::file {
namespace {

namespace fs = std::filesystem;

// .orrery-123-4.tmp, the fourth file of process 123; .orrery-123-4-5.tmp, the fifth, which the fourth guards.
constexpr std::string_view before_pid = ".orrery-", ending = ".tmp";

// What a handler reads has to stand still: names in place, not in strings.
enum class Use : int { none, taken, named };
struct Slot {
  std::atomic<Use> use{Use::none};
  char path[PATH_MAX];
};
std::array<Slot, 1024> slots;  // more than there are jobs at a time, and than an animation usually has frames
std::atomic<bool> ends = false;
static_assert(std::atomic<Use>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

[[noreturn]] void wait_for_the_end() {
  for (;;) ::pause();
}

/// −1 where there is none: then only the next start removes it.
int slot_for(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Use free = Use::none;
    if (!slots[i].use.compare_exchange_strong(free, Use::taken)) continue;
    if (ends) wait_for_the_end();
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].use = Use::named;
    return static_cast<int>(i);
  }
  return -1;
}

extern "C" void on_end(int signal) {
  ends = true;
  for (Slot& slot : slots)
    if (slot.use == Use::named) ::unlink(slot.path);
  ::raise(signal);  // as it was before: when this returns it ends the program
}

std::string new_number() {
  static std::atomic<unsigned> count{0};
  return '-' + std::to_string(++count) + std::string(ending);
}

fs::path new_name(const fs::path& folder) {
  return folder / (std::string(before_pid) + std::to_string(::getpid()) + new_number());
}

fs::path new_name_by(fs::path guard) {
  return guard.replace_extension() += new_number();
}

/// Of ".orrery-123-4-5.tmp" ".orrery-123-4.tmp"; of that one itself: it guards itself.
fs::path guard_name(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t first = name.find('-', before_pid.size()), last = name.rfind('-');
  return first == last ? path : path.parent_path() / (name.substr(0, last) + std::string(ending));
}

/// Of ".orrery-123-4.tmp" 123; 0 where it is no such name.
pid_t pid_in(std::string_view name) {
  if (!name.starts_with(before_pid) || !name.ends_with(ending)) return 0;
  name.remove_prefix(before_pid.size());
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  return error == std::errc() && end != name.data() + name.size() && *end == '-' ? pid : 0;
}

/// A file of our own whose lock nobody holds.
bool is_free(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found {};
  return file.get() >= 0 && ::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode) &&
         found.st_uid == ::geteuid() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

bool is_missing(const fs::path& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) != 0 && errno == ENOENT;
}

/// Of our own, of nobody who lives: a process with its number may be another one, and a number says nothing of another
/// machine, where the lock is held.
bool left_over(const fs::path& path, pid_t pid) {
  // Ours is a dead one's: a folder is looked through before anything is written there.
  const bool lives = pid != ::getpid() && (::kill(pid, 0) == 0 || errno != ESRCH);
  if (pid <= 0 || lives || !is_free(path)) return false;
  const fs::path guard = guard_name(path);
  return guard == path || is_missing(guard) || is_free(guard);
}

}  // namespace

Temporary::Temporary(const fs::path& folder, const Temporary* guard)
    : path_(guard ? new_name_by(guard->path_) : new_name(folder)), slot_(slot_for(path_.string())) {}

Temporary::~Temporary() {
  if (made_) ::unlink(path_.c_str());
  if (slot_ >= 0 && !ends) slots[static_cast<std::size_t>(slot_)].use = Use::none;
}

int Temporary::open(unsigned mode) {
  const int fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0) return fd;
  made_ = true;
  if (ends) {  // the handler may have looked for it before it was there
    ::unlink(path_.c_str());
    wait_for_the_end();
  }
  ::flock(fd, LOCK_EX | LOCK_NB);
  return fd;
}

void Temporary::renamed() {
  made_ = false;
}

void remove_leftovers(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> seen;
  const std::lock_guard lock(mutex);
  if (!seen.insert(folder).second) return;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    const fs::path& path = each->path();
    if (left_over(path, pid_in(path.filename().native()))) ::unlink(path.c_str());
  }
}

void remove_temporaries_on_signals() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = on_end;
    ours.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &ours, nullptr);
  }
  ::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace orrery::file
