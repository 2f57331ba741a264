#include "core/file/temporary.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "core/file/descriptor.h"
#include "core/file/listing.h"
#include "core/file/undisturbed.h"

namespace orrery::file {

/// Where a handler finds the name of a file that is to go: in place, not in a string. Changed by who is Undisturbed, so that
/// it never sees half of one; the mutex is for threads among themselves.
struct Temporary::Slot {
  Slot* next = nullptr;
  bool taken = false;
  char path[PATH_MAX];
};

namespace {

namespace fs = std::filesystem;

// .orrery-123-4.tmp, the fourth file of process 123; .orrery-123-4-5.tmp, the fifth, which the fourth guards.
constexpr std::string_view before_pid = ".orrery-", ending = ".tmp";

constexpr int most_tries = 1000;  // for a name that nobody has

using Slot = Temporary::Slot;
// A list that only grows, as far as files are half written at a time: an animation of many pictures has thousands.
Slot* slots = nullptr;
std::mutex slots_mutex;

/// None where there is no room: then only the next start removes the file.
Slot* slot_for(const std::string& path) {
  if (path.size() >= PATH_MAX) return nullptr;
  const std::lock_guard lock(slots_mutex);
  Slot* slot = slots;
  while (slot && slot->taken) slot = slot->next;
  if (!slot) {
    slot = new (std::nothrow) Slot;
    if (!slot) return nullptr;
    slot->next = slots;
    slots = slot;
  }
  std::memcpy(slot->path, path.c_str(), path.size() + 1);
  slot->taken = true;
  return slot;
}

/// As a handler may do it.
void remove_those_in_slots() {
  for (const Slot* slot = slots; slot; slot = slot->next)
    if (slot->taken) ::unlink(slot->path);
}

bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Of this process, whatever way leads to its folder.
bool is_in_a_slot(const fs::path& path) {
  struct stat found {};
  struct stat ours {};
  if (::lstat(path.c_str(), &found) != 0) return false;
  const std::lock_guard lock(slots_mutex);
  for (const Slot* slot = slots; slot; slot = slot->next)
    if (slot->taken && std::string_view(slot->path).ends_with(path.filename().native()) &&
        ::lstat(slot->path, &ours) == 0 && is_same_file(found, ours))
      return true;
  return false;
}

/// Of two processes of one number, in two containers, hardly one begins where the other is.
unsigned first_number() {
  unsigned number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) number = 0;
  return number / 2;  // and there is room to count on
}

std::string new_number() {
  static std::atomic<unsigned> count{first_number()};
  return '-' + std::to_string(++count) + std::string(ending);
}

fs::path new_name(const fs::path& folder) {
  return folder / (std::string(before_pid) + std::to_string(::getpid()) + new_number());
}

fs::path new_name_by(fs::path guard) {
  return guard.replace_extension() += new_number();
}

/// In the same folder, of the same guard.
fs::path another_name(const fs::path& path) {
  const std::string& name = path.native();
  return name.substr(0, name.rfind('-')) + new_number();
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

bool is_missing(const fs::path& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) != 0 && errno == ENOENT;
}

/// Whether the name still leads to that file.
bool is_named(int fd, const fs::path& path) {
  struct stat named {};
  struct stat open {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(fd, &open) == 0 && is_same_file(named, open);
}

enum class Then : bool { leave, remove };

/// Open for writing where it may be: over a network a lock that nobody shares asks for it.
int open_to_lock(const fs::path& path) {
  constexpr int how = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int fd = ::open(path.c_str(), O_RDWR | how);
  return fd >= 0 ? fd : ::open(path.c_str(), O_RDONLY | how);
}

/// A file of our own whose lock nobody holds. It is removed while we hold it: who made it this moment, and wants the lock now,
/// either does not get it or finds that the file is gone.
bool is_free(const fs::path& path, Then then) {
  const Descriptor file(open_to_lock(path));
  struct stat found {};
  const bool free = file.get() >= 0 && ::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode) &&
                    found.st_uid == ::geteuid() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
  if (free && then == Then::remove && is_named(file.get(), path)) ::unlink(path.c_str());
  return free;
}

/// Where it is our own, of nobody who lives: a process with its number may be another one, and a number says nothing of another
/// machine, where the lock is held.
void remove_left_over(const fs::path& path, pid_t pid) {
  if (pid <= 0) return;
  // Our number was a dead one's too, or is another's who shares the folder from a container.
  const bool lives = pid == ::getpid() ? is_in_a_slot(path) : ::kill(pid, 0) == 0 || errno != ESRCH;
  if (lives) return;
  const fs::path guard = guard_name(path);
  if (guard == path || is_missing(guard) || is_free(guard, Then::leave)) is_free(path, Then::remove);
}

/// Whether the lock is ours, and what it locks still has its name. A file system may have no locks: then nobody takes it away.
bool keeps(int fd, const fs::path& path) {
  const bool others = ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  return !others && is_named(fd, path);
}

}  // namespace

Temporary::Temporary(const fs::path& folder, const Temporary* guard)
    : path_(guard ? new_name_by(guard->path_) : new_name(folder)) {}

Temporary::~Temporary() {
  if (!made_) return;
  const Undisturbed until_the_slot_is_free;
  ::unlink(path_.c_str());
  forget();
}

int Temporary::open(unsigned mode) {
  const Undisturbed until_it_has_a_slot;
  for (int tries = 0;; path_ = another_name(path_)) {
    const int fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    const bool others = fd < 0 ? errno == EEXIST : !keeps(fd, path_);
    if (others && ++tries < most_tries) {
      if (fd >= 0) ::close(fd);  // who holds its lock removes it
      continue;
    }
    if (fd < 0) return fd;
    made_ = true;
    slot_ = slot_for(path_.native());
    return fd;
  }
}

void Temporary::renamed() {
  forget();
}

void Temporary::forget() {
  made_ = false;
  const std::lock_guard lock(slots_mutex);
  if (slot_) slot_->taken = false;
  slot_ = nullptr;
}

fs::path same_however_spelled(const fs::path& folder) {
  std::error_code error;
  fs::path real = fs::canonical(folder, error);
  return error ? folder : real;
}

void remove_leftovers(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> seen;
  const std::lock_guard lock(mutex);
  if (!seen.insert(same_however_spelled(folder)).second) return;
  Listing files(folder);
  while (const auto path = files.next())
    if (const pid_t pid = pid_in(path->filename().native())) remove_left_over(*path, pid);
}

void remove_temporaries_on_signals() {
  before_signals_end(remove_those_in_slots);
  ::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace orrery::file
