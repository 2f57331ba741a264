#include "app/experiment/slurm.h"

#include <sys/stat.h>

#include <algorithm>

#include "app/experiment/processes.h"
#include "core/file/write_file.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"

namespace orrery::experiment {
namespace {

namespace fs = std::filesystem;

/// As a shell takes it.
std::string in_shell(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// As a line of #SBATCH takes it.
std::string in_directive(std::string_view path) {
  std::string out = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// In names of files, but not of folders to work in, % begins a pattern.
std::string without_patterns(std::string_view path) {
  std::string out;
  for (const char c : path) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

/// "123" or "123;cluster"
std::string job_in(const std::string& said) {
  const std::string job = said.substr(0, said.find_first_of(";\n"));
  if (job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
    throw Failure(about(Subject::Kind::option, "--submit")
                      .fault("sbatch said {}", in_apostrophes(parameter::brief(parameter::visible(
                                                   said.substr(0, said.find_last_not_of('\n') + 1)))))
                      .allowed("the number of a job"));
  return job;
}

}  // namespace

void check_slurm_option(const std::string& option) {
  if (!option.starts_with("-") || option.find_first_of("\n\r") != std::string::npos)
    throw InvalidArgument(about(Subject::Kind::option, "--slurm-option")
                              .found_text(option)
                              .allowed("an option of sbatch: {}", "--time=2:00:00"));
}

std::int64_t slurm_parts(const Grid& grid) {
  constexpr std::int64_t most = 1000;
  return std::min(most, static_cast<std::int64_t>(grid.cells.size()));
}

std::string slurm_array(const SweepFolder& sweep, const Grid& grid) {
  const std::int64_t parts = slurm_parts(grid);
  std::vector<bool> left(static_cast<std::size_t>(parts) + 2);
  for (std::size_t i = 0; i < grid.cells.size(); ++i)
    if (!sweep.done(grid.cells[i])) left[i % static_cast<std::size_t>(parts) + 1] = true;
  std::string text;
  for (std::size_t first = 1; first + 1 < left.size(); ++first) {
    if (!left[first]) continue;
    std::size_t last = first;
    while (left[last + 1]) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
    first = last;
  }
  return text;
}

std::string slurm_script(const SweepFolder& sweep, const Grid& grid, const std::string& program,
                         const std::string& working_folder, const SlurmOptions& options) {
  const std::string folder = sweep.path().string();
  std::string text =
      "#!/bin/sh\n# Written by orrery sweep --submit slurm. Submitted again, it does what is left.\n";
  const auto say = [&](const std::string& line) { text += "#SBATCH " + line + "\n"; };
  say("--job-name=orrery-sweep");
  say("--array=" + slurm_array(sweep, grid) +
      (options.at_once > 0 ? "%" + std::to_string(options.at_once) : std::string()));
  say("--chdir=" + in_directive(working_folder));
  say("--output=" + in_directive(without_patterns(folder)) + "/slurm-%A_%a.log");
  say("--open-mode=append");
  say("--requeue");
  say("--signal=B:TERM@60");
  say("--ntasks=1");
  for (const std::string& option : options.options) {
    check_slurm_option(option);
    say(option);
  }
  text +=
      "\n# One thread unless more processors are asked for each task.\n"
      "export OMP_NUM_THREADS=\"${SLURM_CPUS_PER_TASK:-1}\"\n"
      "# In the place of this shell, so that signals reach it.\n"
      "exec " +
      in_shell(program) + " sweep " + in_shell(sweep.kept(grid).string()) + " -o " + in_shell(folder) +
      (options.checkpoint_every.empty() ? "" : " --checkpoint-every " + in_shell(options.checkpoint_every)) +
      " --task \"$SLURM_ARRAY_TASK_ID/" + std::to_string(slurm_parts(grid)) + "\"\n";
  return text;
}

std::string submit_to_slurm(const SweepFolder& sweep, const Grid& grid, const SlurmOptions& options) {
  const SweepFolder absolute(fs::absolute(sweep.path()).lexically_normal());
  const std::string script = slurm_script(absolute, grid, own_path(), fs::current_path().string(), options);
  const fs::path path = absolute.path() / "slurm.sh";
  file::write_file(path, script);
  ::chmod(path.c_str(), 0755);
  ProgramOutput sent;
  try {
    sent = run_program({"sbatch", "--parsable", path.string()});
  } catch (const Failure&) {
    throw Failure(about(Subject::Kind::option, "--submit")
                      .fault("there is no sbatch here; the script is {}", path.string())
                      .allowed("on a machine of the cluster"));
  }
  if (sent.end.code != 0)
    throw Failure(about(Subject::Kind::option, "--submit")
                      .fault("sbatch refused {}: {}", path.string(), foreign(sent.end.said)));
  return job_in(sent.out);
}

}  // namespace orrery::experiment
