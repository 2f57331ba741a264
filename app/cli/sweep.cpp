// orrery sweep: many trainings, of which each may be killed and taken up by anybody.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/arguments.h"
#include "app/cli/batch_run.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/cli/stop_signals.h"
#include "app/cli/training_commands.h"
#include "app/cli/training_figure.h"
#include "app/cli/training_words.h"
#include "app/experiment/collect.h"
#include "app/experiment/processes.h"
#include "app/experiment/slurm.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using experiment::Cell;
using experiment::CellEnd;
using experiment::Grid;
using experiment::SweepFolder;

struct SweepWords {
  std::string grid, output, jobs, task, cell, submit, checkpoint_every;
  std::vector<std::string> slurm_options;
  bool collect = false, list = false, json = false;
};

std::string name_of(const Cell& cell) {
  return say("{}, trained up to {}, seed {}", cell.variant, cell.trained, cell.seed);
}

/// What became of the cells that were asked for.
struct Ends {
  std::size_t done = 0, before = 0, busy = 0, failed = 0;
  bool stopped = false;
  Complaint first_error{};
  std::size_t all() const { return done + before + busy + failed; }
};

/// Of a cell that is done, where not every step was one.
void warn_of_steps(const SweepFolder& folder, const Cell& cell) {
  if (const std::int64_t steps = folder.left_out(cell); steps > 0)
    warn(name_of(cell) + ": " + say("{} steps were left out: their gradients were no numbers", steps));
}

void count(const SweepFolder& folder, const Grid& grid, std::size_t i, CellEnd end, Ends& ends) {
  if (end == CellEnd::done) {
    ++ends.done;
    warn_of_steps(folder, grid.cells[i]);
  }
  if (end == CellEnd::done_before) ++ends.before;
  if (end == CellEnd::stopped) ends.stopped = true;
  if (end != CellEnd::busy) return;
  ++ends.busy;
  warn(say("{} is left alone: another program is training it", name_of(grid.cells[i])));
}

void fail(const Grid& grid, std::size_t i, const Complaint& error, Ends& ends) {
  ++ends.failed;
  warn(say("{} ({}): {}", name_of(grid.cells[i]), grid.cells[i].name, say(error)));
  if (ends.first_error.empty()) ends.first_error = error;
}

/// Here, one after the other.
Ends run_here(const SweepFolder& folder, const Grid& grid, const std::vector<std::size_t>& cells,
              double checkpoint) {
  Ends ends;
  std::shared_ptr<const experiment::Task>
      held;  // by a cell until the next has its own: their text is read once
  for (std::size_t k = 0; k < cells.size() && !ends.stopped; ++k) {
    const Cell& cell = grid.cells[cells[k]];
    TrainingLine line(std::to_string(k + 1) + "/" + std::to_string(cells.size()) + "  " + name_of(cell) +
                      "  ");
    try {
      held = plan_of(cell.settings()).task;
      const CellEnd end = run_cell(folder, cell,
                                   {.checkpoint_seconds = checkpoint,
                                    .tell = [&](const experiment::Progress& p) { line.show(p); },
                                    .stopped = StopSignals::came});
      line.clear();
      count(folder, grid, cells[k], end, ends);
    } catch (const std::exception& error) {
      line.clear();
      fail(grid, cells[k], complaint_of(error), ends);
    }
    ends.stopped = ends.stopped || StopSignals::came();
  }
  return ends;
}

/// How a process for one cell says that it was stopped.
constexpr int stopped_code = 3, busy_code = 4;

/// What a process said in the end, without the name that this one says too.
std::string_view without_name(std::string_view said) {
  constexpr std::string_view name = "orrery: ";
  if (said.starts_with(name)) said.remove_prefix(name.size());
  return said;
}

/// By processes of this program, a cell each.
Ends run_beside(const SweepFolder& folder, const Grid& grid, const std::vector<std::size_t>& cells, int jobs,
                const std::string& checkpoint) {
  Ends ends;
  std::vector<std::size_t> left;
  std::shared_ptr<const experiment::Task> held;  // as above
  for (const std::size_t i : cells) {
    if (!folder.done(grid.cells[i])) {
      left.push_back(i);
      continue;
    }
    try {
      held = folder.check_text(grid.cells[i]);
      ++ends.before;
    } catch (const std::exception& error) {
      fail(grid, i, complaint_of(error), ends);
    }
  }
  std::vector<std::vector<std::string>> programs;
  for (const std::size_t i : left) {
    programs.push_back({experiment::own_path(), "sweep", folder.kept(grid).string(), "-o",
                        folder.path().string(), "--cell", grid.cells[i].name, "--lang",
                        std::string(language::code(spoken()))});
    if (!checkpoint.empty())
      programs.back().insert(programs.back().end(), {"--checkpoint-every", checkpoint});
  }
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  ProgressLine progress;
  experiment::run_processes(
      programs, jobs, std::max(1, cores / jobs),
      [&](std::size_t k, const experiment::ProcessEnd& end) {
        progress.clear();
        if (end.code == 0) return count(folder, grid, left[k], CellEnd::done, ends);
        if (end.code == stopped_code) return count(folder, grid, left[k], CellEnd::stopped, ends);
        if (end.code == busy_code) return count(folder, grid, left[k], CellEnd::busy, ends);
        fail(grid, left[k],
             end.said.empty() ? wrong("its process ended with code {}", end.code)
                              : Complaint().fault(foreign(without_name(end.said))),
             ends);
      },
      StopSignals::came, [&] { progress.show(ends.all(), cells.size(), ""); });
  ends.stopped = ends.stopped || StopSignals::came();
  return ends;
}

void tell(const SweepFolder& folder, const Grid& grid, std::size_t asked, const Ends& ends, bool json) {
  std::size_t all_done = 0;
  for (const Cell& cell : grid.cells) all_done += folder.done(cell) ? 1 : 0;
  if (json)
    print_json({{"folder", folder.path().string()},
                {"cells", grid.cells.size()},
                {"asked", asked},
                {"trained", ends.done},
                {"done_before", ends.before},
                {"busy", ends.busy},
                {"failed", ends.failed},
                {"all_done", all_done}});
  if (ends.stopped)
    throw Failure(about(Subject::Kind::file, folder.path().string())
                      .fault("stopped and saved, {} of {} cells are done; the same command goes on", all_done,
                             grid.cells.size()));
  if (ends.failed > 0) throw Failure(wrong("{} of {} cells could not be trained", ends.failed, asked));
  if (!json) print(say("{} of {} cells are done", all_done, grid.cells.size()) + "\n");
}

int run_one(const SweepFolder& folder, const Grid& grid, const SweepWords& w) {
  const auto found = std::ranges::find(grid.cells, w.cell, &Cell::name);
  if (found == grid.cells.end())
    throw InvalidArgument(
        about(Subject::Kind::option, "--cell").found_text(w.cell).allowed("a name that --list prints"));
  const CellEnd end =
      run_cell(folder, *found,
               {.checkpoint_seconds = checkpoint_seconds(w.checkpoint_every), .stopped = StopSignals::came});
  return end == CellEnd::stopped ? stopped_code : end == CellEnd::busy ? busy_code : 0;
}

void list(const SweepFolder& folder, const Grid& grid, bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  TextTable table("", {2, 3});
  for (const Cell& cell : grid.cells) {
    const bool done = folder.done(cell), begun = folder.cell(cell).has_checkpoint();
    all.push_back({{"cell", cell.name},
                   {"variant", cell.variant},
                   {"trained", cell.trained},
                   {"seed", cell.seed},
                   {"done", done},
                   {"begun", begun}});
    table.row({cell.name, parameter::visible(cell.variant), std::to_string(cell.trained),
               std::to_string(cell.seed),
               done    ? say("done")
               : begun ? say("begun")
                       : ""});
  }
  if (json) return print_json(all);
  print(table.text());
}

void collect(const SweepFolder& folder, const Grid& grid, bool json) {
  const experiment::Table table = experiment::collect(folder, grid);
  if (table.rows.empty())
    throw Failure(about(Subject::Kind::file, folder.path().string()).fault("no cell is done yet"));
  for (const Cell& cell : grid.cells)
    if (folder.done(cell)) warn_of_steps(folder, cell);
  file::NewFiles all;
  std::vector<std::filesystem::path> files = write_tables(folder, table, all);
  files.push_back(folder.path() / "figure.pdf");
  all.write(files.back(), figure_of_sweep(folder.path(), csv_of(table)));
  all.commit();
  if (!table.missing.empty())
    warn(say("{} of {} cells are not done: the table holds the others", table.missing.size(),
             grid.cells.size()));
  if (json) return print_json(json_of(table));
  print(markdown_of(table));
  for (const auto& file : files) print(parameter::visible(file.string()) + "\n");
}

/// Before the folder is made or changed.
void check_submit(const SweepWords& w) {
  constexpr auto known = std::to_array<std::string_view>({"slurm"});
  if (!w.submit.empty() && w.submit != known[0])
    throw InvalidArgument(about(Subject::Kind::option, "--submit").found_text(w.submit).allowed(known));
  for (const std::string& option : w.slurm_options) experiment::check_slurm_option(option);
}

void submit(const SweepFolder& folder, const Grid& grid, const SweepWords& w) {
  if (slurm_array(folder, grid).empty()) {
    if (w.json) return print_json({{"job", nullptr}, {"script", nullptr}, {"cells", grid.cells.size()}});
    return print(say("all {} cells are done", grid.cells.size()) + "\n");
  }
  const std::string job = submit_to_slurm(folder, grid,
                                          {.at_once = w.jobs.empty() ? 0 : parse_jobs(w.jobs),
                                           .checkpoint_every = w.checkpoint_every,
                                           .options = w.slurm_options});
  if (w.json)
    return print_json(
        {{"job", job}, {"script", (folder.path() / "slurm.sh").string()}, {"cells", grid.cells.size()}});
  print(say("job {} of {} cells; squeue shows it, and when it is through: orrery sweep {} -o {} --collect",
            job, grid.cells.size(), parameter::visible(w.grid), parameter::visible(w.output)) +
        "\n");
}

/// Options of which only one can be meant.
void one_of(const SweepWords& w) {
  std::vector<std::string_view> given;
  for (const auto& [option, is] : {std::pair<std::string_view, bool>{"--task", !w.task.empty()},
                                   {"--cell", !w.cell.empty()},
                                   {"--submit", !w.submit.empty()},
                                   {"--collect", w.collect},
                                   {"--list", w.list}})
    if (is) given.push_back(option);
  if (given.size() > 1)
    throw InvalidArgument(about(Subject::Kind::option, given[1]).fault("does not go with {}", given[0]));
  for (const auto& [option, is] : {std::pair<std::string_view, bool>{"--jobs", !w.jobs.empty()},
                                   {"--checkpoint-every", !w.checkpoint_every.empty()}})
    if (is && (w.list || w.collect))
      throw InvalidArgument(about(Subject::Kind::option, option).fault("does not go with {}", given[0]));
  if (!w.slurm_options.empty() && w.submit.empty())
    throw InvalidArgument(about(Subject::Kind::option, "--slurm-option")
                              .fault("goes with {}", in_apostrophes("--submit slurm")));
}

int sweep(const SweepWords& w) {
  require("GRID", w.grid, words("a .toml file"));
  require("-o", w.output, words("a directory"));
  one_of(w);
  check_submit(w);
  const double checkpoint = checkpoint_seconds(w.checkpoint_every);
  const experiment::Part part =
      w.task.empty() ? experiment::Part() : experiment::part_from_text("--task", w.task);
  const int jobs = w.jobs.empty() ? 1 : parse_jobs(w.jobs);
  const Grid grid = experiment::read_grid(w.grid);
  const SweepFolder folder(w.output);
  if (w.list) return list(folder, grid, w.json), 0;
  if (w.collect) return collect(folder, grid, w.json), 0;
  if (w.cell.empty()) folder.begin(grid);
  if (!w.submit.empty()) return submit(folder, grid, w), 0;
  const StopSignals signals;
  if (!w.cell.empty()) return run_one(folder, grid, w);
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < grid.cells.size(); ++i)
    if (part.has(i)) cells.push_back(i);
  const Ends ends = jobs > 1 ? run_beside(folder, grid, cells, jobs, w.checkpoint_every)
                             : run_here(folder, grid, cells, checkpoint);
  tell(folder, grid, cells.size(), ends, w.json);
  return 0;
}

}  // namespace

Command sweep_command() {
  const auto w = std::make_shared<SweepWords>();
  return {
      "sweep",
      "many trainings: variants × lengths × seeds, on this machine or on a cluster",
      {{"GRID", &w->grid, "", "what is trained, a .toml file", {Offers::Kind::files, {".toml"}}},
       output_folder(w->output),
       {"--jobs", &w->jobs, "NUMBER", "processes at a time (1); of a cluster: tasks at a time"},
       {"--task", &w->task, "I/N", "only the I-th of N parts, for any scheduler"},
       {"--submit", &w->submit, "slurm", "as a job array of a cluster", {Offers::Kind::words, {"slurm"}}},
       {"--slurm-option", &w->slurm_options, "OPTION", "one more of sbatch: --slurm-option=--time=2:00:00"},
       {"--collect", &w->collect, "", "make one table and one figure of the cells that are done"},
       {"--list", &w->list, "", "print the cells, their names and whether they are done"},
       {"--cell", &w->cell, "NAME",
        "only this cell (exit code 3: stopped and saved, 4: another program has it)"},
       checkpoint_argument(w->checkpoint_every),
       {"--json", &w->json, "", "as JSON"}},
      [w] { return sweep(*w); },
      {{"orrery sweep grid.toml -o sweep --jobs 4", "four at a time; killed, the same line goes on"},
       {"orrery sweep grid.toml -o sweep --task 3/8",
        "a part of eight, for any scheduler: GNU parallel, make"},
       {"orrery sweep grid.toml -o sweep --submit slurm --slurm-option=--time=2:00:00", "by Slurm"},
       {"orrery sweep grid.toml -o sweep --collect", "the table and the figure"}}};
}

}  // namespace orrery::cli
