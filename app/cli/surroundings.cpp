#include "app/cli/surroundings.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

constexpr rlim_t least_stack = 256 << 10;  // 64 kB end in a crash, 96 kB do not
constexpr long most_threads = 4096;        // a hundred thousand end in a crash

void check_stack() {
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= least_stack) return;
  throw Failure(about(words("stack"))
                    .found(stack.rlim_cur >> 10)
                    .fault("found a limit of {} kB (ulimit -s)", stack.rlim_cur >> 10)
                    .allowed("at least {} kB", least_stack >> 10));
}

/// A whole number that a machine may have threads for, blanks around it.
bool is_count_of_threads(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  long count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc() && end == text.data() + text.size() && count >= 1 && count <= most_threads;
}

/// OpenMP has read it by now: it believes any number, and takes all cores where it is none. Of "4,2" each holds for one level
/// of threads within threads.
void check_threads() {
  const char* const variable = std::getenv("OMP_NUM_THREADS");
  if (variable == nullptr || *variable == '\0') return;
  const std::string_view text(variable);
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    if (!is_count_of_threads(text.substr(from, comma - from)))
      throw InvalidArgument(about(Subject::Kind::variable, "OMP_NUM_THREADS")
                                .found_text(text.substr(0, 40))
                                .allowed("{} to {}", 1, most_threads));
    from = comma + 1;
  }
}

}  // namespace

void hold_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number, which is this one. The wrong way round, so that nobody reads or writes there unawares.
    const int held = ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (held > STDERR_FILENO) ::close(held);
  }
}

void check_surroundings() {
  check_stack();
  check_threads();
  // Of Pango's backends only the one for fontconfig is here; asked for another, it has none at all.
  ::unsetenv("PANGOCAIRO_BACKEND");
}

}  // namespace orrery::cli
