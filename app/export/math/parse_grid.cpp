// Environments: rows that end in \\ of cells that end in &.
#include <memory>
#include <utility>

#include "app/export/math/dimension.h"
#include "app/export/math/parser.h"

namespace orrery::exporter::math {
namespace {

/// The environments of LaTeX and amsmath. Lengths are theirs at 10 pt, in em.
struct Environment {
  std::string_view name;
  char32_t open = 0, close = 0;
  Grid grid;
};

const Environment* environment_for(std::string_view name) {
  static const std::vector<Environment> all = [] {
    constexpr double jot = 0.3;
    Grid matrix;  // \arraycolsep, 0.5 em, at either side of a column but not at the ends
    Grid array = matrix;
    array.margin = 0.5;
    Grid small;
    small.gaps = {5 / 18.0, 5 / 18.0};
    small.margin = 3 / 18.0;
    small.row_ascent = small.row_descent = 0;
    small.baselines = 0.6;
    small.between = 0.15;
    small.level = Level::script;
    Grid cases;  // \arraystretch 1.2
    cases.columns = std::string("l");
    cases.row_ascent *= 1.2;
    cases.row_descent *= 1.2;
    Grid dcases = cases;
    dcases.level = Level::display;
    Grid aligned;
    aligned.columns = std::string("rl");
    aligned.gaps = {0, 1};
    aligned.baselines = 1.2 + jot;
    aligned.between = 0.1 + jot;
    aligned.level = Level::display;
    Grid gathered = aligned;
    gathered.columns = std::string("c");
    return std::vector<Environment>{
        {"matrix", 0, 0, matrix},        {"pmatrix", U'(', U')', matrix}, {"bmatrix", U'[', U']', matrix},
        {"Bmatrix", U'{', U'}', matrix}, {"vmatrix", U'|', U'|', matrix}, {"Vmatrix", U'‖', U'‖', matrix},
        {"smallmatrix", 0, 0, small},    {"cases", U'{', 0, cases},       {"dcases", U'{', 0, dcases},
        {"rcases", 0, U'}', cases},      {"aligned", 0, 0, aligned},      {"split", 0, 0, aligned},
        {"gathered", 0, 0, gathered},    {"array", 0, 0, array},
    };
  }();
  for (const Environment& each : all)
    if (each.name == name) return &each;
  return nullptr;
}

/// \begin{array}{l|cr}: the letters, and before which columns a line stands.
void read_columns(std::string_view spec, Grid& grid) {
  std::string columns;
  for (const char c : spec) {
    if (c == 'l' || c == 'c' || c == 'r') columns += c;
    if (c == '|') grid.bars.push_back(columns.size());
  }
  if (!columns.empty()) grid.columns = columns;
}

}  // namespace

Node Parser::environment(Call call) {
  const std::size_t begin = at_;
  const auto name = raw_group();
  const Environment* found = name ? environment_for(*name) : nullptr;
  if (!found) {
    at_ = begin;
    return unknown(call.source);
  }
  Grid shape = found->grid;
  if (found->name == "array") {
    raw_brackets();
    if (const auto spec = raw_group()) read_columns(*spec, shape);
  }
  Node inside = grid(std::move(shape), Stop::cell, found->name);
  if (!found->open && !found->close) return inside;
  Node node = with_parts(Node::Kind::fenced, {});
  node.parts.push_back(std::move(inside));
  node.fence = {found->open, found->close};
  node.atom = Atom::inner;
  return node;
}

Node Parser::substack(Call call) {
  skip_blanks();
  if (!take('{')) return unknown(call.source);
  Grid shape;
  shape.row_ascent = shape.row_descent = 0;
  shape.baselines = 0.815;  // num3 + denom2 of cmsy7, 5.708 pt of 7
  shape.between = 0.171;    // three times the rule of a fraction, 1.2 pt of 7
  shape.level = Level::script;
  Node node = grid(std::move(shape), Stop::line, {});
  take('}');
  return node;
}

/// `\\`, `\\*` or `\\[4pt]`, and what room the last one asks for; nothing where the grid ends.
std::optional<double> Parser::end_of_row() {
  if (!take_command_if("\\") && !take_command_if("cr")) return std::nullopt;
  take('*');
  const std::size_t begin = at_;
  const auto brackets = raw_brackets();
  const auto gap = brackets ? dimension(*brackets) : std::nullopt;
  if (!gap) at_ = begin;
  return gap.value_or(0);
}

Node Parser::grid(Grid shape, Stop stop, std::string_view name) {
  const Deeper deeper(*this);
  Node node = with_parts(Node::Kind::grid, {});
  const bool aligned = shape.columns == "rl";
  Grid::Row row_shape;
  for (bool more = true; more;) {
    skip_blanks();
    for (; take_command_if("hline"); skip_blanks()) ++row_shape.rules;
    Node cell = row(stop);
    // A relation that begins a left-hand column keeps its distance from the column before.
    if (aligned && row_shape.cells % 2 == 1) cell.parts.insert(cell.parts.begin(), Node{});
    node.parts.push_back(std::move(cell));
    ++row_shape.cells;
    if (take('&')) continue;
    const auto gap = end_of_row();
    row_shape.gap = gap.value_or(0);
    shape.rows.push_back(std::exchange(row_shape, {}));
    more = gap.has_value();
  }
  // A row that only ended the one before it: \\ before \end.
  if (shape.rows.size() > 1 && shape.rows.back().cells == 1 && node.parts.back().parts.empty()) {
    shape.rules_below = shape.rows.back().rules;
    node.parts.pop_back();
    shape.rows.pop_back();
  }
  node.grid = std::make_shared<const Grid>(std::move(shape));
  if (stop == Stop::line || !take_command_if("end")) return node;
  const auto closing = raw_group();
  if (closing && *closing == name) return node;
  const std::string source = "\\end" + (closing ? "{" + std::string(*closing) + "}" : std::string());
  return with_parts(Node::Kind::row, {std::move(node), unknown(source)});
}

}  // namespace orrery::exporter::math
