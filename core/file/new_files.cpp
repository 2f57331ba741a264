#include "core/file/new_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/file/descriptor.h"
#include "core/file/pipe_signal.h"
#include "core/file/temporary.h"
#include "core/file/undisturbed.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

namespace fs = std::filesystem;

using Parts = std::span<const std::string_view>;

/// 0, or what went wrong.
int write_all(const Descriptor& file, Parts parts) {
  for (const std::string_view bytes : parts)
    if (const int error = file.write(bytes)) return error;
  return 0;
}

/// A pipe, a terminal, /dev/stdout: there is no old file to keep, and nothing to rename over.
void write_through(const fs::path& path, Parts parts) {
  const NoPipeSignal no_signal;
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) cannot_write(path, errno);
  if (const int error = write_all(file, parts)) cannot_write(path, error);
  if (file.close() != 0) cannot_write(path, errno);
}

/// Of a link the file that it leads to, though there is none yet.
fs::path end_of_links(fs::path path) {
  constexpr int most_links = 40;  // as many as Linux follows
  for (int i = 0; i < most_links; ++i) {
    std::error_code no_link;
    const fs::path next = fs::read_symlink(path, no_link);
    if (no_link) return path;
    path = path.parent_path() / next;
  }
  return path;
}

}  // namespace

void cannot_write(const fs::path& path, int error) {
  throw Failure(Complaint()
                    .fault(foreign(std::generic_category().message(error)))
                    .within({Subject::Kind::file, words("cannot write {}", path.string())}));
}

fs::path target_of(const fs::path& path) {
  std::error_code no_such_file;
  fs::path target = fs::canonical(path, no_such_file);
  if (!no_such_file) return target;
  struct stat found {};
  const bool leads_nowhere = ::stat(path.c_str(), &found) != 0 && errno == ENOENT;
  return leads_nowhere ? end_of_links(path) : path;
}

namespace {

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// Is left open, so that it stays locked.
int write_new(Temporary& temporary, std::optional<Descriptor>& file, Parts parts, mode_t mode) {
  file.emplace(temporary.open(mode));
  if (file->get() < 0) return errno;
  if (const int error = write_all(*file, parts)) return error;
  return ::fsync(file->get()) == 0 ? 0 : errno;
}

/// The owner, the group and the rights of the old file, as far as this user may give them. Where the group cannot be kept, no
/// other group gets what that one had.
void keep_rights(int fd, const struct stat& old) {
  const bool group_kept =
      ::fchown(fd, old.st_uid, old.st_gid) == 0 || ::fchown(fd, static_cast<uid_t>(-1), old.st_gid) == 0;
  const mode_t mode = old.st_mode & 0777, others = mode & 07;
  // Some file systems have no rights: the file is whole without them.
  [[maybe_unused]] const int refused = ::fchmod(fd, group_kept ? mode : (mode & 0707) | others << 3);
}

/// So that the new name outlives a power cut. The file is whole without it, and some file systems have no such thing.
void sync_folder(const fs::path& folder) {
  const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.get() >= 0) ::fsync(open.get());
}

}  // namespace

struct NewFiles::File {
  File(const fs::path& asked, const fs::path& real, const Temporary* guard)
      : path(asked), target(real), temporary(folder_of(real), guard), guarded(guard != nullptr) {}
  fs::path path;    // as it was asked for
  fs::path target;  // where links lead
  Temporary temporary;
  bool guarded;
  std::optional<Descriptor> open;
  // Of one without a guard: its lock, from when it is closed, and that of the file whose place it has taken.
  std::optional<Descriptor> lock{}, lock_of_old{};
  std::optional<struct stat> old{};  // what stood there when it was written

  /// With the rights of the old file, and closed where it was not. 0, or what went wrong.
  int finish();
  /// 0, or what went wrong. With a way back, what stands at the target now stays beside it under the temporary's name, where
  /// the file system can exchange two names.
  int put(bool way_back);
  /// As it was before put, as far as there is a way.
  void put_back();

 private:
  enum class Way { none, exchange_again, remove } way_ = Way::none;
};

int NewFiles::File::finish() {
  if (!open) return 0;
  if (old) keep_rights(open->get(), *old);
  // A second descriptor holds the same lock; closing the first one tells what the disk has to say.
  if (!guarded) lock.emplace(::fcntl(open->get(), F_DUPFD_CLOEXEC, 0));
  const int error = open->close() == 0 ? 0 : errno;
  open.reset();
  return error;
}

int NewFiles::File::put(bool way_back) {
  struct stat found {};
  const bool in_the_way = ::lstat(target.c_str(), &found) == 0;
  // What is no file is for rename to refuse: exchanged, a folder would be taken away.
  const bool exchanged = way_back && in_the_way && S_ISREG(found.st_mode);
  if (exchanged && !guarded) {
    lock_of_old.emplace(::open(target.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (lock_of_old->get() >= 0) ::flock(lock_of_old->get(), LOCK_EX | LOCK_NB);
  }
  if (exchanged && ::renameat2(AT_FDCWD, temporary.path(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
    way_ = Way::exchange_again;
    return 0;
  }
  if (::rename(temporary.path(), target.c_str()) != 0) return errno;
  temporary.renamed();
  if (!in_the_way) way_ = Way::remove;
  return 0;
}

void NewFiles::File::put_back() {
  if (way_ == Way::remove) ::unlink(target.c_str());
  // The way it went there; the temporary removes the new one. Where there is no way back, what stood there stays under the
  // temporary's name: it is the only one.
  if (way_ == Way::exchange_again &&
      ::renameat2(AT_FDCWD, temporary.path(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0) {
    static_cast<void>(::rename(temporary.path(), target.c_str()));
    temporary.renamed();
  }
  way_ = Way::none;
}

/// An empty file that is open while others in its folder, which are not, wait for their names.
struct NewFiles::Guard {
  explicit Guard(const fs::path& folder) : temporary(folder), open(temporary.open(0600)) {}
  Temporary temporary;
  Descriptor open;
};

NewFiles::NewFiles() = default;
NewFiles::~NewFiles() = default;

const Temporary* NewFiles::guard_of(const fs::path& path, const fs::path& target) {
  const auto [of_folder, first] = guards_.try_emplace(same_however_spelled(folder_of(target)));
  if (first) return nullptr;
  std::unique_ptr<Guard>& guard = of_folder->second;
  if (!guard) {
    auto made = std::make_unique<Guard>(folder_of(target));
    if (made->open.get() < 0) cannot_write(path, errno);
    guard = std::move(made);
  }
  return &guard->temporary;
}

void NewFiles::write(const fs::path& path, std::string_view bytes) {
  write(path, std::span(&bytes, 1));
}

void NewFiles::write(const fs::path& path, Parts parts) {
  // A link stays a link: what it points to is replaced, or made.
  const fs::path target = target_of(path);

  if (std::error_code none; fs::is_symlink(target, none)) cannot_write(path, ELOOP);

  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) cannot_write(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_through(path, parts);
  // A name can be taken from a file that may not be written: who protected it meant its contents.
  if (exists && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) cannot_write(path, errno);

  remove_leftovers(folder_of(target));
  const Temporary* const guard = guard_of(path, target);
  auto file = std::make_unique<File>(path, target, guard);
  if (const int error = write_new(file->temporary, file->open, parts, exists ? old.st_mode & 0777 : 0666))
    cannot_write(path, error);
  if (exists) file->old = old;
  if (guard)
    if (const int error = file->finish()) cannot_write(path, error);
  files_.push_back(std::move(file));
}

void NewFiles::put_all() {
  // A signal that came in the middle would leave some new and some old.
  const Undisturbed until_all_are_put;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const bool last = i + 1 == files_.size();  // nothing comes after it that could fail
    if (const int error = files_[i]->put(!last)) {
      const fs::path& refused = files_[i]->path;
      while (i-- > 0) files_[i]->put_back();
      cannot_write(refused, error);
    }
  }
}

void NewFiles::commit() {
  for (const auto& file : files_)
    if (const int error = file->finish()) cannot_write(file->path, error);
  put_all();
  std::set<fs::path> folders;
  for (const auto& file : files_) folders.insert(folder_of(file->target));
  for (const fs::path& folder : folders) sync_folder(folder);
  files_.clear();
  guards_.clear();
}

}  // namespace orrery::file
