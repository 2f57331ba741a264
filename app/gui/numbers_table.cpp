// The rows and columns of a table of numbers.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/gui/decimal_halves.h"
#include "app/gui/number_text.h"
#include "app/gui/panels.h"
#include "app/gui/rich_text.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

struct ShownColumn {
  const figure::Column* column;
  std::string name;
  figure::ColumnStyle style;
  Halves widest;
  float width;
};

/// Values that between them are written as wide as any of the column: its extremes, on both sides of where powers of ten
/// begin.
std::vector<double> widest_of(const figure::Column& column) {
  if (column.values.empty()) return {};
  const auto [least, most] = std::minmax_element(column.values.begin(), column.values.end());
  double smallest = INFINITY, plain = INFINITY;
  for (const double v : column.values) {
    const double size = std::abs(v);
    if (size > 0 && size < std::abs(smallest)) smallest = v;
    if (size >= 1e-4 && size < std::abs(plain)) plain = v;
  }
  return {*least, *most, smallest, plain, column.values.front(), column.values.back()};
}

/// Wide enough for the head and for every cell.
std::vector<ShownColumn> measured(Ui& ui, const figure::Table& table) {
  std::vector<ShownColumn> shown;
  for (const figure::Column& column : table.columns) {
    ShownColumn c{&column, ui.say(column.name), column_style(column), {}, 0};
    for (const std::string& word : column.words)  // they begin at the left: nothing is aligned
      c.widest.before = std::max(c.widest.before, rich_width(ui, ui.faces.words, ui.say(word)));
    if (!column.of_words())
      for (const double v : widest_of(column)) {
        const Halves own = halves(ui.faces.numbers, cell_text(v, c.style));
        c.widest = {std::max(c.widest.before, own.before), std::max(c.widest.behind, own.behind)};
      }
    c.width = std::ceil(std::max(c.widest.width(), rich_width(ui, ui.faces.words, c.name)));
    shown.push_back(std::move(c));
  }
  return shown;
}

/// Where the numbers of a column end, from its left.
float end_of_numbers(const ShownColumn& c, bool first) {
  return first ? c.widest.width() : c.width;
}

/// Where a head begins: about the points of the numbers below it, which a long fraction leaves far from the column's end.
float head_of(const ShownColumn& c, bool first, float wide) {
  if (c.column->of_words()) return 0;
  const float point = end_of_numbers(c, first) - c.widest.behind;
  return std::clamp(point - wide / 2, 0.0f, std::max(0.0f, c.width - wide));
}

}  // namespace

void NumbersSection::body(App& app, Ui& ui, const figure::Table& table, const char* name, ImVec2 size) {
  const std::size_t rows = table.columns.empty() ? 0 : table.columns.front().values.size();
  const std::vector<ShownColumn> columns = measured(ui, table);
  const float row = ui.px(19), space = ui.px(18), width = size.x - ui.px(10);
  float total = -space;
  for (const ShownColumn& c : columns) total += c.width + space;
  // Spare width goes between the columns, so that the last one ends where everything on this pane ends; but what belongs
  // together stays together.
  const float spare =
      columns.size() > 1 ? std::max(0.0f, width - total) / static_cast<float>(columns.size() - 1) : 0;
  const float extra = std::min(spare, ui.px(48));
  const float bar = total > width ? ImGui::GetStyle().ScrollbarSize : 0;
  ImGui::SetNextWindowContentSize({std::max(total, width), 0});
  compat::begin_child(name, {size.x, size.y + bar}, total > width ? ImGuiWindowFlags_HorizontalScrollbar : 0);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = ImGui::IsWindowHovered();

  float x = ImGui::GetCursorScreenPos().x;
  const float left = x, top = ImGui::GetCursorScreenPos().y;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    rich_line(ui, draw, x + head_of(columns[c], c == 0, rich_width(ui, ui.faces.words, columns[c].name)),
              baseline_in(ui.faces.words, top, row), ui.faces.words, ui.tokens.faint, columns[c].name);
    x += columns[c].width + space + extra;
  }
  ImGui::Dummy({total, row});
  std::optional<std::pair<std::size_t, std::size_t>> pointed;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows), row);
  while (clipper.Step()) {
    for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool lit = over && mouse.y >= at.y && mouse.y < at.y + row;
      if (lit)
        draw.AddRectFilled({left - ui.px(4), at.y}, {left + std::max(total, width), at.y + row},
                           color(ui.tokens.control, 0.7), ui.px(3));
      x = at.x;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const ShownColumn& column = columns[c];
        if (lit && mouse.x >= x - space / 2 && mouse.x < x + column.width + extra + space / 2)
          pointed = {static_cast<std::size_t>(r), c};
        if (column.column->of_words()) {
          rich_line(ui, draw, x, baseline_in(ui.faces.words, at.y, row), ui.faces.words, ui.tokens.text,
                    ui.say(column.column->words[static_cast<std::size_t>(r)]));
        } else if (static_cast<std::size_t>(r) < column.column->values.size()) {
          const std::string text =
              cell_text(column.column->values[static_cast<std::size_t>(r)], column.style);
          const float right = x + end_of_numbers(column, c == 0);
          put(draw, ui.faces.numbers, right - column.widest.behind - halves(ui.faces.numbers, text).before,
              baseline_in(ui.faces.numbers, at.y, row), color(ui.tokens.text), text);
        }
        x += column.width + space + extra;
      }
      ImGui::Dummy({total, row});
    }
  }
  if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    row_ = pointed ? pointed->first : rows;
    column_ = pointed ? pointed->second : columns.size();
    ImGui::OpenPopup("copy");
  }
  copy_menu(app, ui, table);
  if (scrolls_by_keys_ == name) scroll_by_keys(ui, row);
  ImGui::EndChild();
  ui.items.mark_last(name);
  if (has_keyboard(ui, name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()))
    scrolls_by_keys_ = name;
  else if (scrolls_by_keys_ == name)
    scrolls_by_keys_.clear();
}

}  // namespace orrery::gui
