// What a sweep found, as one table: a row for each cell and test length, and their means with the spread over seeds.
//
//   table.csv    variant,trained,seed,cell,length,sequences,loss,accuracy,floor     English, every digit; floor may be empty
//   table.json   {variants, lengths, seeds, cells, complete, missing: [{variant, trained, seed, cell}],
//                 rows: [{variant, trained, seed, cell, length, sequences, loss, accuracy, floor}],
//                 means: [{variant, trained, length, seeds, loss, loss_spread, accuracy, accuracy_spread, floor}]}
//   table.md     the means, with four digits
//
// A spread is the standard deviation between seeds (divided by their number less one); null where there is one seed. The
// order is that of the grid, so that the same cells are the same bytes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/experiment/sweep.h"
#include "core/file/new_files.h"

namespace orrery::experiment {

struct Row {
  Cell cell;
  Index length = 0, sequences = 0;
  std::optional<double> loss, accuracy, floor;  ///< nothing: no number
};

struct MeanRow {
  std::string variant;
  Index trained = 0, length = 0;
  std::size_t seeds = 0;
  std::optional<double> loss = {}, loss_spread = {}, accuracy = {}, accuracy_spread = {}, floor = {};
};

struct Table {
  Grid grid;
  std::vector<Row> rows;
  std::vector<MeanRow> means;
  std::vector<Cell> missing;
};

/// Reads every result that is there. Throws Failure for one that is damaged: a length is a whole number.
Table collect(const SweepFolder&, const Grid&);

std::string csv_of(const Table&);
nlohmann::ordered_json json_of(const Table&);
std::string markdown_of(const Table&);
/// The three files, beside the cells, when they are committed. Throws Failure.
std::vector<std::filesystem::path> write_tables(const SweepFolder&, const Table&, file::NewFiles&);

}  // namespace orrery::experiment
