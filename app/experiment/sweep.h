// The cells of a grid in a folder, each in one of its own by its name:
//
//   grid.toml            the grid as it was given last
//   grids/HASH.toml      every grid that was given, which processes and tasks read that may begin hours later
//   cells/NAME/          a training's folder (run_folder.h), and
//   cells/NAME/result.json   what it is like when it is trained (report.h): the cell is done when this is there
//
// Who trains a cell holds its lock. Whatever is killed, the next who comes by goes on from its checkpoint.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/experiment/grid.h"
#include "app/experiment/report.h"
#include "app/experiment/train.h"

namespace orrery::experiment {

class SweepFolder {
 public:
  explicit SweepFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path grid() const { return path_ / "grid.toml"; }
  /// Where this grid stays, whatever others are given.
  std::filesystem::path kept(const Grid&) const;
  RunFolder cell(const Cell& cell) const { return RunFolder(path_ / "cells" / cell.name); }
  std::filesystem::path result(const Cell& cell) const { return this->cell(cell).path() / "result.json"; }
  bool done(const Cell&) const;
  /// Of a cell that is done: throws Failure where it was trained on another text than there is now. What holds that
  /// text comes back, none where there is no text: as long as it is kept, the next cell's is not read once more.
  std::shared_ptr<const Task> check_text(const Cell&) const;
  /// Of a cell that is done. Throws what damaged says for what is no JSON.
  nlohmann::json read_result(const Cell&) const;
  /// For who finds something else in a result than what is kept there.
  Failure damaged(const Cell&) const;
  /// Steps of a cell that is done which had no gradient. Throws Failure.
  std::int64_t left_out(const Cell&) const;

  /// Makes the folder and keeps the grid in it. Throws Failure.
  void begin(const Grid&) const;

 private:
  void check_grid(const Grid&) const;

  std::filesystem::path path_;
};

enum class CellEnd {
  done,         ///< trained and asked now
  done_before,  ///< nothing was left to do
  busy,         ///< another program is at it
  stopped       ///< saved, by request
};

/// Trains one cell to its end and asks it. Throws what went wrong.
CellEnd run_cell(const SweepFolder&, const Cell&, const TrainOptions&);

}  // namespace orrery::experiment
