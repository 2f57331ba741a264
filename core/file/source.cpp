#include "core/file/source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/tensor/error.h"

namespace orrery::file {

// O_NONBLOCK: opening a named pipe would wait for somebody to open its other end, and reading a file of the kernel's (such
// as /proc/kmsg) for the next thing to happen.
Source::Source(const std::filesystem::path& path, Accept accept)
    : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)), name_(path.string()) {
  if (descriptor_.get() < 0) fail(wrong("cannot be opened: {}", foreign(std::strerror(errno))));
  struct stat about {};
  if (::fstat(descriptor_.get(), &about) != 0)
    fail(wrong("cannot be read: {}", foreign(std::strerror(errno))));
  if (S_ISDIR(about.st_mode)) fail(wrong("is a directory, not a file"));
  if (S_ISREG(about.st_mode)) {
    size_ = static_cast<std::uint64_t>(about.st_size);
    return;
  }
  if (!S_ISFIFO(about.st_mode)) fail(wrong("is neither a file nor a pipe"));
  if (accept == Accept::files) fail(wrong("is a pipe, which can be read only once").allowed("a file"));
}

void Source::fail(const Complaint& what) const {
  throw Failure(what.within(in_file(name_)));
}

/// Until a pipe holds something or has ended. One that nobody has opened yet to write has not.
void Source::wait() const {
  pollfd one{.fd = descriptor_.get(), .events = POLLIN, .revents = 0};
  while (::poll(&one, 1, -1) < 0)
    if (errno != EINTR) fail(wrong("cannot be read: {}", foreign(std::strerror(errno))));
}

std::size_t Source::read(char* to, std::size_t count) {
  std::size_t filled = 0;
  while (filled < count) {
    if (!size_) wait();
    const ssize_t n = ::read(descriptor_.get(), to + filled, count - filled);
    if (n == 0) break;
    if (n > 0) {
      filled += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN && size_) {
      fail(wrong("has nothing to read yet").allowed("a file with an end"));
    } else if (errno != EINTR && errno != EAGAIN) {
      fail(wrong("cannot be read: {}", foreign(std::strerror(errno))));
    }
  }
  return filled;
}

std::size_t Source::read_at(std::uint64_t at, char* to, std::size_t count) const {
  std::size_t filled = 0;
  while (filled < count) {
    const ssize_t n =
        ::pread(descriptor_.get(), to + filled, count - filled, static_cast<off_t>(at + filled));
    if (n == 0) break;
    if (n > 0)
      filled += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      fail(wrong("cannot be read: {}", foreign(std::strerror(errno))));
  }
  return filled;
}

void Source::seek(std::uint64_t at) {
  if (::lseek(descriptor_.get(), static_cast<off_t>(at), SEEK_SET) < 0)
    fail(wrong("cannot be read: {}", foreign(std::strerror(errno))));
}

}  // namespace orrery::file
