#include <algorithm>

#include "app/gui/choice_menu.h"
#include "app/gui/export_page.h"
#include "app/gui/number_text.h"
#include "app/gui/panels.h"
#include "app/gui/rich_text.h"
#include "app/gui/widgets.h"
#include "app/study/translate.h"

namespace orrery::gui {
namespace {

struct ShownColumn {
  const figure::Column* column;
  std::string name;
  ColumnStyle style;
  float width;
};

/// As its files are called; in another language, in its words.
std::string said_name(const Ui& ui, const figure::Table& table) {
  const std::string words = study::table_words(table.name), said = ui.say(words);
  return said == words ? table.name : said;
}

/// Wide enough for the head and for every cell: the widest is among the first, the last, and the extremes.
std::vector<ShownColumn> measured(Ui& ui, const figure::Table& table) {
  std::vector<ShownColumn> shown;
  for (const figure::Column& column : table.columns) {
    const ColumnStyle style = column_style(column);
    const std::string name = ui.say(column.name);
    float width = rich_width(ui, ui.faces.words, name);
    if (!column.values.empty()) {
      const auto [least, most] = std::minmax_element(column.values.begin(), column.values.end());
      for (const double v : {*least, *most, column.values.front(), column.values.back()})
        width = std::max(width, ui.faces.numbers.width(cell_text(v, style)));
    }
    shown.push_back({&column, name, style, std::ceil(width)});
  }
  return shown;
}

}  // namespace

const figure::Table* NumbersSection::shown(const App& app) const {
  const study::Outcome* outcome = app.result();
  if (!outcome || outcome->result.tables.empty()) return nullptr;
  const std::vector<figure::Table>& tables = outcome->result.tables;
  const auto chosen =
      std::find_if(tables.begin(), tables.end(), [&](const figure::Table& t) { return t.name == chosen_; });
  return chosen == tables.end() ? &tables.front() : &*chosen;
}

void NumbersSection::copy(App& app) const {
  const figure::Table* table = shown(app);
  if (!table) return;
  ImGui::SetClipboardText(tab_separated(*table).c_str());
  const std::size_t rows = table->columns.empty() ? 0 : table->columns.front().values.size();
  app.notice = {Notice::Kind::done, formatted("copied: %s, %zu rows", table->name.c_str(), rows)};
}

/// A table has no control inside: the arrows move it as a whole.
void NumbersSection::scroll_by_keys(Ui& ui, float row) {
  const Turn down_and_across = take_turn(ui, Arrows::sideways);
  ImGui::SetScrollX(ImGui::GetScrollX() + static_cast<float>(down_and_across.steps) * 2 * row);
  if (down_and_across.to_start) ImGui::SetScrollY(0);
  if (down_and_across.to_end) ImGui::SetScrollY(ImGui::GetScrollMaxY());
  const auto down = [&](Key key, float rows) {
    if (ui.take(key)) ImGui::SetScrollY(ImGui::GetScrollY() + rows * row);
  };
  down(Key::down, 1);
  down(Key::up, -1);
  down(Key::page_down, 8);
  down(Key::page_up, -8);
}

void NumbersSection::draw(App& app, Ui& ui) {
  const figure::Table* table = shown(app);
  if (!table) return;
  const std::vector<figure::Table>& tables = app.result()->result.tables;

  const float width = room(ui);
  const std::size_t rows = table->columns.empty() ? 0 : table->columns.front().values.size();
  std::vector<std::string> said;
  for (const figure::Table& t : tables) said.push_back(said_name(ui, t));
  const std::vector<std::string_view> names(said.begin(), said.end());
  // Short names stand in the head's own line, which leaves more of the pane to the numbers.
  const float needed = segments_width(ui, names, ui.faces.words);
  const bool beside = names.size() > 1 && needed <= width - ui.px(90);
  const ImVec2 head = ImGui::GetCursorScreenPos();
  if (!ui.sections.head(app, ui, "numbers", ui.say("Numbers"),
                        beside ? std::string() : ui.say("{} rows", grouped(static_cast<std::int64_t>(rows)))))
    return;
  if (names.size() > 1) {
    if (beside)
      ImGui::SetCursorScreenPos({head.x + width - needed, head.y - ui.px(2)});
    else
      gap(ui, 4);
    const int clicked = needed <= width
                            ? segmented(ui, "table", names, static_cast<int>(table - tables.data()),
                                        beside ? needed : width, ui.faces.words)
                            : choice_menu(ui, "table", names, said_name(ui, *table), width);
    if (clicked >= 0) chosen_ = tables[static_cast<std::size_t>(clicked)].name;
    if (beside) ImGui::SetCursorScreenPos({head.x, head.y + ui.px(22)});
  }
  gap(ui, 4);

  const std::vector<ShownColumn> columns = measured(ui, *table);
  const float row = ui.px(19), space = ui.px(18);
  float total = -space;
  for (const ShownColumn& c : columns) total += c.width + space;
  // Spare width goes between the columns, so that the last one ends where everything on this pane ends.
  const float extra =
      columns.size() > 1 ? std::max(0.0f, width - total) / static_cast<float>(columns.size() - 1) : 0;

  // The rest of the pane, and never more than the rows need; a few rows at least, however low the pane ends.
  const float bar = total > width ? ImGui::GetStyle().ScrollbarSize : 0;
  const float height = std::min(row * static_cast<float>(rows + 1) + ui.px(6) + bar,
                                std::max(ui.px(150), ImGui::GetContentRegionAvail().y - ui.px(12)));
  ImGui::SetNextWindowContentSize({std::max(total, width), 0});
  compat::begin_child("numbers", {width + ui.px(10), height},
                      total > width ? ImGuiWindowFlags_HorizontalScrollbar : 0);
  ImDrawList& draw = *ImGui::GetWindowDrawList();

  float x = ImGui::GetCursorScreenPos().x;
  const float top = ImGui::GetCursorScreenPos().y;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const float name = rich_width(ui, ui.faces.words, columns[c].name);
    rich_line(ui, draw, c == 0 ? x : x + columns[c].width - name, baseline_in(ui.faces.words, top, row),
              ui.faces.words, ui.tokens.faint, columns[c].name);
    x += columns[c].width + space + extra;
  }
  ImGui::Dummy({total, row});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows), row);
  while (clipper.Step()) {
    for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      x = at.x;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::vector<double>& values = columns[c].column->values;
        if (static_cast<std::size_t>(r) < values.size()) {
          const std::string text = cell_text(values[static_cast<std::size_t>(r)], columns[c].style);
          if (c == 0)
            put(draw, ui.faces.numbers, x, baseline_in(ui.faces.numbers, at.y, row), color(ui.tokens.text),
                text);
          else
            put(draw, ui.faces.numbers, x + columns[c].width, baseline_in(ui.faces.numbers, at.y, row),
                color(ui.tokens.text), text, Align::right);
        }
        x += columns[c].width + space + extra;
      }
      ImGui::Dummy({total, row});
    }
  }
  if (ImGui::BeginPopupContextWindow("copy")) {
    ui.focus.begin_popup();
    if (menu_row(ui, "menu:Copy all numbers", "Copy all numbers", {}, ui.px(180))) {
      copy(app);
      ImGui::CloseCurrentPopup();
    }
    end_popup(ui);
  }
  if (scrolls_by_keys_) scroll_by_keys(ui, row);
  ImGui::EndChild();
  ui.items.mark_last("numbers");
  scrolls_by_keys_ = has_keyboard(ui, "numbers", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

}  // namespace orrery::gui
