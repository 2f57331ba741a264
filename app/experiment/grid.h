// GRID.toml: many trainings as a file, variants × lengths × seeds. What all of them share stands in it as in SETTINGS.toml.
//
//   orrery = 1
//   [task]
//   kind = "markov"
//   [evaluation]
//   lengths = [64, 128, 256]
//   [grid]
//   lengths = [32, 64]     # that are trained: task.length, of copied words task.longest; left out: as the task has it
//   seeds = [1, 2, 3]      # left out: training.seed
//   [[variant]]
//   name = "rope"
//   [variant.model]
//   positions = "rope"
//   [[variant]]
//   name = "alibi"
//   [variant.model]
//   positions = "alibi"
//
// A cell is one of them, with a name that is the hash of its settings: no cell knows of another one, a grid that grows keeps
// what was trained, and two grids share what they have in common.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/experiment/plan.h"

namespace orrery::experiment {

struct Cell {
  std::string variant;
  Index trained = 0;  ///< as lengths are counted
  std::int64_t seed = 0;
  /// Of all cells of this variant and length together: a grid has room for a hundred thousand cells.
  std::shared_ptr<const Settings> of_all_seeds = {};
  std::string name = {};

  Settings settings() const;
};

struct Grid {
  std::string text;  ///< of the file
  std::vector<std::string> variants;
  std::vector<Index> lengths;
  std::vector<std::int64_t> seeds;
  std::vector<Cell> cells;  ///< by variants, then lengths, then seeds
};

/// Throws Failure, one line with its place, for what cannot be; every variant is looked at at every length.
Grid grid_from_toml(std::string_view text, std::string_view origin);
Grid read_grid(const std::filesystem::path&);

/// "3/8": the third of eight parts of a grid. Cells go to the parts in turn: each to one part, and to none twice.
struct Part {
  std::int64_t number = 1, of = 1;
  bool has(std::size_t cell) const { return static_cast<std::int64_t>(cell) % of == number - 1; }
};
/// Throws InvalidArgument about `option`.
Part part_from_text(std::string_view option, std::string_view text);

}  // namespace orrery::experiment
