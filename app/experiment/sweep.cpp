#include "app/experiment/sweep.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include "core/file/bytes.h"
#include "core/file/json.h"
#include "core/file/write_file.h"
#include "core/tensor/error.h"
#include "core/tensor/hash.h"

namespace orrery::experiment {
namespace {

namespace fs = std::filesystem;

/// A part of many that begin at once has nothing to change.
void keep(const fs::path& path, const std::string& text) {
  std::error_code none;
  constexpr std::uint64_t longest = 1 << 20;
  if (!fs::exists(path, none) || file::read_bytes(path, longest) != text) file::write_file(path, text);
}

}  // namespace

/// A grid of somebody's own that no sweep here has kept would be lost. Older sweeps kept none, and have cells.
void SweepFolder::check_grid(const Grid& grid) const {
  std::error_code none;
  if (!fs::exists(this->grid(), none)) return;
  constexpr std::uint64_t longest = 1 << 20;
  const std::string there = file::read_bytes(this->grid(), longest);
  const bool older = fs::exists(path_ / "cells", none) && !fs::exists(path_ / "grids", none);
  if (there == grid.text || older ||
      fs::exists(path_ / "grids" / (tensor::Hash().add(there).digits() + ".toml"), none))
    return;
  throw Failure(about(Subject::Kind::file, this->grid().string())
                    .fault("is another grid, of which no sweep here has a copy")
                    .allowed("another folder, or this grid under another name"));
}

fs::path SweepFolder::kept(const Grid& grid) const {
  return path_ / "grids" / (tensor::Hash().add(grid.text).digits() + ".toml");
}

std::shared_ptr<const Task> SweepFolder::check_text(const Cell& cell) const {
  const Settings settings = cell.settings();
  if (settings.of("task").choice("kind") != "text") return nullptr;
  std::shared_ptr<const Task> task = task_of(settings);
  this->cell(cell).check_text(*task);
  return task;
}

nlohmann::json SweepFolder::read_result(const Cell& cell) const {
  constexpr std::uint64_t longest = std::uint64_t{1} << 28;
  const std::string text = file::read_bytes(result(cell), longest);
  try {
    return file::read_json(text, {});
  } catch (const nlohmann::json::exception&) {
    throw damaged(cell);
  } catch (const file::TooDeep&) {
    throw damaged(cell);
  }
}

Failure SweepFolder::damaged(const Cell& cell) const {
  return Failure(about(Subject::Kind::file, result(cell).string())
                     .fault("is damaged; delete it and run the sweep again"));
}

std::int64_t SweepFolder::left_out(const Cell& cell) const {
  const nlohmann::json result = read_result(cell);
  const auto steps = result.find("left_out");
  if (steps == result.end() || !steps->is_number_unsigned()) throw damaged(cell);
  return steps->get<std::int64_t>();
}

bool SweepFolder::done(const Cell& cell) const {
  std::error_code none;
  return fs::exists(result(cell), none);
}

void SweepFolder::begin(const Grid& grid) const {
  check_grid(grid);
  make_folder(path_ / "cells");
  make_folder(path_ / "grids");
  keep(kept(grid), grid.text);
  keep(this->grid(), grid.text);
}

CellEnd run_cell(const SweepFolder& sweep, const Cell& cell, const TrainOptions& options) {
  if (sweep.done(cell)) return sweep.check_text(cell), CellEnd::done_before;
  const RunFolder folder = sweep.cell(cell);
  const Plan plan = plan_of(cell.settings());
  try {
    if (!train(folder, plan, options).done()) return CellEnd::stopped;
    const Report report = report_of(trainer_of(folder, plan), plan, [&](double) {
      if (options.stopped && options.stopped()) throw Cancelled();
    });
    file::write_file(sweep.result(cell), to_text(report));
  } catch (const Busy&) {
    return CellEnd::busy;
  } catch (const Cancelled&) {
    return CellEnd::stopped;
  }
  return CellEnd::done;
}

}  // namespace orrery::experiment
