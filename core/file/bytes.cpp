#include "core/file/bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/file/descriptor.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Failure(path.string() + ": " + what);
}

std::string size_text(std::uint64_t bytes) {
  return std::to_string(bytes) + " bytes";
}

struct stat open_checked(const Descriptor& fd, const std::filesystem::path& path) {
  if (fd.get() < 0) fail(path, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat about {};
  if (::fstat(fd.get(), &about) != 0) fail(path, std::string("cannot be read: ") + std::strerror(errno));
  if (S_ISDIR(about.st_mode)) fail(path, "is a directory, not a file");
  if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode)) fail(path, "is neither a file nor a pipe");
  return about;
}

std::size_t read_some(const Descriptor& fd, const std::filesystem::path& path, char* to, std::size_t count) {
  for (;;) {
    const ssize_t n = ::read(fd.get(), to, count);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) fail(path, std::string("cannot be read: ") + std::strerror(errno));
  }
}

}  // namespace

std::string read_head(const std::filesystem::path& path, std::size_t count) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (S_ISFIFO(open_checked(fd, path).st_mode))
    fail(path, "is a pipe, which can be read only once; allowed: a file");
  std::string bytes(count, '\0');
  std::size_t filled = 0;
  while (const std::size_t n = read_some(fd, path, bytes.data() + filled, count - filled)) filled += n;
  bytes.resize(filled);
  return bytes;
}

std::string read_bytes(const std::filesystem::path& path, std::uint64_t limit) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const struct stat about = open_checked(fd, path);
  const auto announced = S_ISREG(about.st_mode) ? static_cast<std::uint64_t>(about.st_size) : 0;
  if (announced > limit) fail(path, size_text(announced) + "; allowed: up to " + size_text(limit));

  // One byte more than announced, so that the end of the file is met without growing the string.
  std::string bytes(std::max<std::uint64_t>(announced + 1, 65536), '\0');
  std::size_t filled = 0;
  while (const std::size_t n = read_some(fd, path, bytes.data() + filled, bytes.size() - filled)) {
    filled += n;
    if (filled > limit) fail(path, "more than the allowed " + size_text(limit));
    if (filled == bytes.size()) bytes.resize(bytes.size() * 2);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace orrery::file
