#include "app/cli/surroundings.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

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

/// OpenMP has read it by now and believes any number.
void check_threads() {
  const char* const variable = std::getenv("OMP_NUM_THREADS");
  if (variable == nullptr) return;
  const std::string_view text(variable);
  long count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool number = end != text.data();
  if (number && (error == std::errc::result_out_of_range || count > most_threads))
    throw InvalidArgument(about(Subject::Kind::variable, "OMP_NUM_THREADS")
                              .found_text(text.substr(0, 40))
                              .allowed("{} to {}", 1, most_threads));
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
