// A sweep as a job array of Slurm: a script that anybody may read and change, and its submission.
//
// A task of the array trains the cells of its part (Part, grid.h). Slurm sends SIGTERM a minute before it takes a machine away:
// the task saves and ends. One that is requeued, or submitted again, goes on from its last checkpoint.
// Source     the manuals of sbatch and of job arrays, Slurm 22.05
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/experiment/sweep.h"

namespace orrery::experiment {

struct SlurmOptions {
  int at_once = 0;                    ///< tasks that run at the same time; 0: as many as there is room for
  std::string checkpoint_every = {};  ///< of each task, as it was asked; empty: as it is usual
  std::vector<std::string> options = {};  ///< more lines of #SBATCH: "--time=2:00:00"
};

/// How many parts the cells go to: one each, as long as an array may have so many (MaxArraySize is 1001 unless it is set).
std::int64_t slurm_parts(const Grid&);
/// "1-3,7": the parts in which something is left to do; empty: none.
std::string slurm_array(const SweepFolder&, const Grid&);
/// Throws InvalidArgument for an option of sbatch that is none.
void check_slurm_option(const std::string&);
/// Paths are as absolute as they are given. Throws InvalidArgument for an option that is none.
std::string slurm_script(const SweepFolder&, const Grid&, const std::string& program,
                         const std::string& working_folder, const SlurmOptions&);
/// Writes DIR/slurm.sh and hands it to sbatch; the number of the job. Throws Failure.
std::string submit_to_slurm(const SweepFolder&, const Grid&, const SlurmOptions&);

}  // namespace orrery::experiment
