// The cells of a sweep by several processes at once, on one machine: a process for each cell, so that one that is killed or
// runs out of memory takes nothing with it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tensor/complaint.h"

namespace orrery::experiment {

struct ProcessEnd {
  int code = 0;      ///< its exit code; of one that a signal ended 128 and the signal, as shells say it
  std::string said;  ///< on stderr, its last line
};

/// Runs `programs` (words, the first one a path), up to `jobs` at a time, each with OMP_NUM_THREADS as it is said. `on_end` is
/// called for each as it ends. `stopped` is asked several times a second: then those that run get SIGTERM, once, and no other
/// one is begun; and they get it where this program is killed. Returns when all have ended. Throws Failure where none can be
/// begun.
void run_processes(const std::vector<std::vector<std::string>>& programs, int jobs, int threads,
                   const std::function<void(std::size_t, const ProcessEnd&)>& on_end,
                   const std::function<bool()>& stopped, const std::function<void()>& meanwhile);

/// Runs one program to its end. Throws Failure where there is none.
struct ProgramOutput {
  ProcessEnd end;
  std::string out;
};
ProgramOutput run_program(const std::vector<std::string>& words);

/// The path of this program.
std::string own_path();

}  // namespace orrery::experiment
