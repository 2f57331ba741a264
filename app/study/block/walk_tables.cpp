#include "app/study/block/walk_tables.h"

#include <set>

#include "app/study/kit/numbers.h"

namespace orrery::study::block_walk {
namespace {

using figure::Column;
using figure::Table;

constexpr Index most_columns = 256, most_rows = 1024;

Table table_of(const Shown& s, const std::string& name) {
  const Matrix& m = s.tabled.size() > 0 ? s.tabled : s.matrix;
  Table table{name, {}};
  Column row{.name = "row", .values = numbered(m.rows())};
  if (!s.rows.empty()) row.words = s.rows, row.typed = true;
  table.columns.push_back(std::move(row));
  const Matrix columns = m.transpose();
  for (Index j = 0; j < columns.rows(); ++j)
    table.columns.push_back({.name = "column " + std::to_string(j + 1), .values = row_of(columns, j)});
  return table;
}

Column named(const char* name) {
  return {.name = name, .typed = true};
}

}  // namespace

void add_part_tables(const std::vector<Line>& lines, const std::string& prefix, std::vector<Table>& tables) {
  Table shapes{prefix + "shapes", {named("matrix"), named("letters"), {.name = "rows"}, {.name = "columns"}}};
  std::set<std::string> seen;
  std::vector<Table> each;
  for (const Line& line : lines)
    for (const Shown& s : line) {
      if (!seen.insert(s.name).second) continue;
      add_row(shapes, s.name, s.letters, s.matrix.rows(), s.matrix.cols());
      if (s.matrix.cols() <= most_columns && s.matrix.rows() <= most_rows)
        each.push_back(table_of(s, prefix + s.name));
    }
  tables.push_back(std::move(shapes));
  std::ranges::move(each, std::back_inserter(tables));
}

void add_model_tables(const Walked& w, const std::string& prefix, std::vector<Table>& tables) {
  const Model& m = w.model();
  Table next{prefix + "next", {named("word"), {.name = "logit"}, {.name = "probability"}}};
  for (Index v = 0; v < std::ssize(m.vocabulary); ++v)
    add_row(next, m.vocabulary[static_cast<std::size_t>(v)], w.tape("logits")(m.last, v),
            w.probabilities()(m.last, v));
  Table tape{prefix + "tape", {named("matrix"), {.name = "rows"}, {.name = "columns"}}};
  for (const auto& [name, matrix] : w.all()) add_row(tape, name, matrix.rows(), matrix.cols());
  Table arrays{prefix + "arrays", {named("array"), {.name = "rows"}, {.name = "columns"}}};
  for (const transformer::NamedSlot& array : w.arrays())
    add_row(arrays, array.name, array.slot.rows, array.slot.cols);
  for (Table* each : {&next, &tape, &arrays}) tables.push_back(std::move(*each));
}

}  // namespace orrery::study::block_walk
