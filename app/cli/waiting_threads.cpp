#include "app/cli/waiting_threads.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace orrery::cli {

void let_waiting_threads_sleep(char** words) {
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"})
    if (std::getenv(name) != nullptr) return;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  // A loader that was called by its name is not the program.
  if (error || program.filename().string().starts_with("ld-")) return;
  ::setenv("GOMP_SPINCOUNT", "1000", 1);
  ::execv(program.c_str(), words);  // where it comes back, all goes on as it is
}

}  // namespace orrery::cli
