#include "app/experiment/sweep.h"

#include <system_error>

#include "core/file/bytes.h"
#include "core/file/write_file.h"
#include "core/tensor/error.h"

namespace orrery::experiment {
namespace {

namespace fs = std::filesystem;

}  // namespace

bool SweepFolder::done(const Cell& cell) const {
  std::error_code none;
  return fs::exists(result(cell), none);
}

void SweepFolder::begin(const Grid& grid) const {
  make_folder(path_ / "cells");
  // A part of many that begin at once has nothing to change here.
  std::error_code none;
  constexpr std::uint64_t longest = 1 << 20;
  if (!fs::exists(this->grid(), none) || file::read_bytes(this->grid(), longest) != grid.text)
    file::write_file(this->grid(), grid.text);
}

CellEnd run_cell(const SweepFolder& sweep, const Cell& cell, const TrainOptions& options) {
  if (sweep.done(cell)) return CellEnd::done_before;
  const RunFolder folder = sweep.cell(cell);
  const Plan plan = plan_of(cell.settings);
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
