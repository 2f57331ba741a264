#include "core/file/new_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/file/descriptor.h"
#include "core/file/temporary.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw Failure(Complaint()
                    .fault(foreign(std::generic_category().message(error)))
                    .within({Subject::Kind::file, words("cannot write {}", path.string())}));
}

using Parts = std::span<const std::string_view>;

/// 0, or what went wrong.
int write_all(int fd, Parts parts) {
  for (std::string_view bytes : parts) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  return 0;
}

/// A pipe, a terminal, /dev/stdout: there is no old file to keep, and nothing to rename over.
void write_through(const fs::path& path, Parts parts) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) fail(path, errno);
  if (const int error = write_all(file.get(), parts)) fail(path, error);
  if (file.close() != 0) fail(path, errno);
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

fs::path target_of(const fs::path& path) {
  std::error_code no_such_file;
  fs::path target = fs::canonical(path, no_such_file);
  if (!no_such_file) return target;
  struct stat found {};
  const bool leads_nowhere = ::stat(path.c_str(), &found) != 0 && errno == ENOENT;
  return leads_nowhere ? end_of_links(path) : path;
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// Stays open, so that it stays locked.
int write_new(Temporary& temporary, std::optional<Descriptor>& file, Parts parts, mode_t mode) {
  file.emplace(temporary.open(mode));
  if (file->get() < 0) return errno;
  if (const int error = write_all(file->get(), parts)) return error;
  return ::fsync(file->get()) == 0 ? 0 : errno;
}

/// So that the new name outlives a power cut. The file is whole without it, and some file systems have no such thing.
void sync_folder(const fs::path& folder) {
  const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.get() >= 0) ::fsync(open.get());
}

}  // namespace

struct NewFiles::File {
  File(const fs::path& asked, const fs::path& real) : path(asked), target(real), temporary(folder_of(real)) {}
  fs::path path;    // as it was asked for
  fs::path target;  // where links lead
  Temporary temporary;
  std::optional<Descriptor> open;
};

NewFiles::NewFiles() = default;
NewFiles::~NewFiles() = default;

void NewFiles::write(const fs::path& path, std::string_view bytes) {
  write(path, std::span(&bytes, 1));
}

void NewFiles::write(const fs::path& path, Parts parts) {
  // A link stays a link: what it points to is replaced, or made.
  const fs::path target = target_of(path);

  if (std::error_code none; fs::is_symlink(target, none)) fail(path, ELOOP);

  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_through(path, parts);
  // A name can be taken from a file that may not be written: who protected it meant its contents.
  if (exists && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) fail(path, errno);

  remove_leftovers(folder_of(target));
  auto file = std::make_unique<File>(path, target);
  if (const int error = write_new(file->temporary, file->open, parts, exists ? old.st_mode & 0777 : 0666))
    fail(path, error);
  files_.push_back(std::move(file));
}

void NewFiles::commit() {
  for (const auto& file : files_)
    if (file->open->close() != 0) fail(file->path, errno);
  std::set<fs::path> folders;
  for (const auto& file : files_) {
    if (::rename(file->temporary.path(), file->target.c_str()) != 0) fail(file->path, errno);
    file->temporary.renamed();
    folders.insert(folder_of(file->target));
  }
  for (const fs::path& folder : folders) sync_folder(folder);
  files_.clear();
}

}  // namespace orrery::file
