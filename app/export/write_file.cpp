// Files that are either the old ones or the new ones, never half of each.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#include "app/export/export.h"
#include "core/file/descriptor.h"
#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw Failure("cannot write " + path.string() + ": " + std::generic_category().message(error));
}

/// 0, or what went wrong.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// A pipe, a terminal, /dev/stdout: there is no old file to keep, and nothing to rename over.
void write_through(const fs::path& path, std::string_view bytes) {
  file::Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) fail(path, errno);
  if (const int error = write_all(file.get(), bytes)) fail(path, error);
  if (file.close() != 0) fail(path, errno);
}

fs::path temporary_beside(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  fs::path name = target;
  name.replace_filename(target.filename().string() + '.' + std::to_string(::getpid()) + '-' +
                        std::to_string(++count) + ".tmp");
  return name;
}

int write_new(const fs::path& path, std::string_view bytes, mode_t mode) {
  file::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (file.get() < 0) return errno;
  if (const int error = write_all(file.get(), bytes)) return error;
  if (::fsync(file.get()) != 0) return errno;
  return file.close() == 0 ? 0 : errno;
}

}  // namespace

void write_file(const fs::path& path, std::string_view bytes) {
  // A link stays a link: what it points to is replaced.
  std::error_code no_such_file;
  fs::path target = fs::canonical(path, no_such_file);
  if (no_such_file) target = path;

  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_through(path, bytes);

  const fs::path temporary = temporary_beside(target);
  int error = write_new(temporary, bytes, exists ? old.st_mode & 0777 : 0666);
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    if (error != EEXIST) ::unlink(temporary.c_str());
    fail(path, error);
  }
}

}  // namespace orrery::exporter
