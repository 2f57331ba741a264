#include "app/experiment/collect.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/tensor/error.h"
#include "core/training/sweep_table_format.h"

namespace orrery::experiment {
namespace {

using nlohmann::ordered_json;
using Number = std::optional<double>;

Number number_in(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = object.at(key);
  return value.is_null() ? Number() : Number(value.get<double>());
}

/// Whole and from 1 on, up to more than can be asked; else nothing.
std::optional<Index> count_in(const nlohmann::json& object, const char* key) {
  constexpr std::uint64_t most = 1'000'000'000;
  const nlohmann::json& value = object.at(key);
  if (!value.is_number_unsigned()) return std::nullopt;
  const auto n = value.get<std::uint64_t>();
  return n >= 1 && n <= most ? std::optional(static_cast<Index>(n)) : std::nullopt;
}

void add_rows(const SweepFolder& sweep, const Cell& cell, std::vector<Row>& rows) {
  try {
    const nlohmann::json result = sweep.read_result(cell);
    for (const nlohmann::json& each : result.at("lengths")) {
      const auto length = count_in(each, "length"), sequences = count_in(each, "sequences");
      if (!length || !sequences) throw sweep.damaged(cell);
      rows.push_back({.cell = cell,
                      .length = *length,
                      .sequences = *sequences,
                      .loss = number_in(each, "loss"),
                      .accuracy = number_in(each, "accuracy"),
                      .floor = number_in(each, "floor")});
    }
  } catch (const nlohmann::json::exception&) {
    throw sweep.damaged(cell);
  }
}

struct Spread {
  Number mean, deviation;
};

/// Of all, or of none where one of them is no number.
Spread spread_of(const std::vector<const Row*>& rows, Number Row::*what) {
  const auto n = static_cast<double>(rows.size());
  double sum = 0, squares = 0;
  for (const Row* row : rows) {
    if (!(row->*what)) return {};
    sum += *(row->*what);
  }
  const double mean = sum / n;
  for (const Row* row : rows) squares += (*(row->*what) - mean) * (*(row->*what) - mean);
  return {mean, rows.size() > 1 ? Number(std::sqrt(squares / (n - 1))) : Number()};
}

/// Rows of one variant, trained and asked at the same lengths, become one.
std::vector<MeanRow> means_of(const std::vector<Row>& rows) {
  std::vector<MeanRow> means;
  std::vector<std::vector<const Row*>> members;
  for (const Row& row : rows) {
    const auto found = std::ranges::find_if(means, [&](const MeanRow& mean) {
      return mean.variant == row.cell.variant && mean.trained == row.cell.trained &&
             mean.length == row.length;
    });
    const auto at = static_cast<std::size_t>(found - means.begin());
    if (found == means.end()) {
      means.push_back({.variant = row.cell.variant, .trained = row.cell.trained, .length = row.length});
      members.emplace_back();
    }
    members[at].push_back(&row);
  }
  for (std::size_t i = 0; i < means.size(); ++i) {
    const Spread loss = spread_of(members[i], &Row::loss), accuracy = spread_of(members[i], &Row::accuracy);
    means[i].seeds = members[i].size();
    means[i].loss = loss.mean;
    means[i].loss_spread = loss.deviation;
    means[i].accuracy = accuracy.mean;
    means[i].accuracy_spread = accuracy.deviation;
    means[i].floor = spread_of(members[i], &Row::floor).mean;
  }
  return means;
}

ordered_json json(const Number& x) {
  return x ? ordered_json(*x) : ordered_json();
}

ordered_json json(const Cell& cell) {
  return {{"variant", cell.variant}, {"trained", cell.trained}, {"seed", cell.seed}, {"cell", cell.name}};
}

std::string csv(const Number& x) {
  return x ? parameter::shortest(*x) : std::string();
}

/// "1.284 ± 0.012": as many decimals of the mean as its spread has, where these are not many; else four digits.
std::string with_spread(const Number& x, const Number& spread = {}) {
  constexpr double most_decimals = 6;
  if (!x) return "–";
  char text[64];
  const double decimals = spread && *spread > 0 ? 1 - std::floor(std::log10(*spread)) : -1;
  if (decimals >= 0 && decimals <= most_decimals)
    std::snprintf(text, sizeof text, "%.*f ± %.*f", static_cast<int>(decimals), *x,
                  static_cast<int>(decimals), *spread);
  else if (spread)
    std::snprintf(text, sizeof text, "%.4g ± %.2g", *x, *spread);
  else
    std::snprintf(text, sizeof text, "%.4g", *x);
  return text;
}

}  // namespace

Table collect(const SweepFolder& sweep, const Grid& grid) {
  Table table{.grid = grid, .rows = {}, .means = {}, .missing = {}};
  std::shared_ptr<const Task> held;  // by a cell until the next has its own: their text is read once
  for (const Cell& cell : grid.cells) {
    if (!sweep.done(cell)) {
      table.missing.push_back(cell);
      continue;
    }
    held = sweep.check_text(cell);
    add_rows(sweep, cell, table.rows);
  }
  table.means = means_of(table.rows);
  return table;
}

std::string csv_of(const Table& table) {
  std::string text = std::string(training::sweep_heading) + "\n";
  for (const Row& row : table.rows)
    text += row.cell.variant + "," + std::to_string(row.cell.trained) + "," + std::to_string(row.cell.seed) +
            "," + row.cell.name + "," + std::to_string(row.length) + "," + std::to_string(row.sequences) +
            "," + csv(row.loss) + "," + csv(row.accuracy) + "," + csv(row.floor) + "\n";
  return text;
}

ordered_json json_of(const Table& table) {
  ordered_json missing = ordered_json::array(), rows = missing, means = missing;
  for (const Cell& cell : table.missing) missing.push_back(json(cell));
  for (const Row& row : table.rows) {
    ordered_json entry = json(row.cell);
    entry["length"] = row.length;
    entry["sequences"] = row.sequences;
    entry["loss"] = json(row.loss);
    entry["accuracy"] = json(row.accuracy);
    entry["floor"] = json(row.floor);
    rows.push_back(entry);
  }
  for (const MeanRow& mean : table.means)
    means.push_back({{"variant", mean.variant},
                     {"trained", mean.trained},
                     {"length", mean.length},
                     {"seeds", mean.seeds},
                     {"loss", json(mean.loss)},
                     {"loss_spread", json(mean.loss_spread)},
                     {"accuracy", json(mean.accuracy)},
                     {"accuracy_spread", json(mean.accuracy_spread)},
                     {"floor", json(mean.floor)}});
  return {{"variants", table.grid.variants},
          {"lengths", table.grid.lengths},
          {"seeds", table.grid.seeds},
          {"cells", table.grid.cells.size()},
          {"complete", table.missing.empty()},
          {"missing", missing},
          {"rows", rows},
          {"means", means}};
}

std::string markdown_of(const Table& table) {
  std::string text =
      "| variant | trained | length | seeds | loss | accuracy | floor |\n|---|--:|--:|--:|--:|--:|--:|\n";
  for (const MeanRow& mean : table.means)
    text += "| " + mean.variant + " | " + std::to_string(mean.trained) + " | " + std::to_string(mean.length) +
            " | " + std::to_string(mean.seeds) + " | " + with_spread(mean.loss, mean.loss_spread) + " | " +
            with_spread(mean.accuracy, mean.accuracy_spread) + " | " + with_spread(mean.floor) + " |\n";
  return text;
}

std::vector<std::filesystem::path> write_tables(const SweepFolder& sweep, const Table& table,
                                                file::NewFiles& files) {
  const std::filesystem::path csv = sweep.path() / "table.csv", json = sweep.path() / "table.json",
                              markdown = sweep.path() / "table.md";
  files.write(csv, csv_of(table));
  files.write(json, json_of(table).dump(2) + "\n");
  files.write(markdown, markdown_of(table));
  return {csv, json, markdown};
}

}  // namespace orrery::experiment
