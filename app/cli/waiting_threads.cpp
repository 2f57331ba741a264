#include "app/cli/waiting_threads.h"

#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <string_view>

namespace orrery::cli {

// Before anything is ready to be told of, nothing is asked that could fail but by what it gives back.
void let_waiting_threads_sleep(char** words) {
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"})
    if (std::getenv(name) != nullptr) return;
  char program[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0 || length == static_cast<ssize_t>(sizeof program) - 1) return;
  program[length] = '\0';
  // A loader that was called by its name is not the program.
  const std::string_view path(program);
  if (path.substr(path.rfind('/') + 1).starts_with("ld-")) return;
  if (::setenv("GOMP_SPINCOUNT", "1000", 1) != 0) return;
  ::execv(program, words);  // where it comes back, all goes on as it is
}

}  // namespace orrery::cli
