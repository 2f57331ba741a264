#include <algorithm>
#include <utility>

#include "app/export/table_text.h"
#include "app/export/text_runs.h"
#include "app/figure/reading.h"
#include "app/gui/choice_menu.h"
#include "app/gui/export_page.h"
#include "app/gui/number_text.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"
#include "app/study/translate.h"

namespace orrery::gui {
namespace {

constexpr float table_row = 19;

std::size_t row_count(const figure::Table& table) {
  return table.columns.empty() ? 0 : table.columns.front().values.size();
}

/// As its files are called; in another language, in its words.
std::string said_name(const Ui& ui, const figure::Table& table) {
  const std::string words = study::table_words(table.name), said = ui.say(words);
  return said == words ? table.name : said;
}

std::vector<std::string> said_names(const App& app, const Ui& ui) {
  std::vector<std::string> said;
  for (const figure::Table& table : app.result()->result.tables) said.push_back(said_name(ui, table));
  return said;
}

/// A table of that row alone.
figure::Table row_of(const figure::Table& table, std::size_t row) {
  figure::Table one = table;
  for (figure::Column& column : one.columns) {
    column.values = {column.values[row]};
    if (column.of_words()) column.words = {column.words[row]};
  }
  return one;
}

/// Four corners that pull apart.
void enlarge_mark(ImDrawList& draw, ImVec2 middle, float size, ImU32 ink, float line) {
  const float half = size / 2, arm = size / 3;
  for (const float x : {-1.0f, 1.0f})
    for (const float y : {-1.0f, 1.0f}) {
      const ImVec2 corner(middle.x + x * half, middle.y + y * half);
      draw.AddLine(corner, {corner.x - x * arm, corner.y}, ink, line);
      draw.AddLine(corner, {corner.x, corner.y - y * arm}, ink, line);
    }
}

}  // namespace

const figure::Table* NumbersSection::shown(const App& app) const {
  const recipe::Outcome* outcome = app.result();
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
  app.say(Notice::Kind::done, formatted("copied: %s, %zu rows", table->name.c_str(), row_count(*table)));
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

void NumbersSection::choose(App& app, Ui& ui, std::string_view id, float width) {
  const std::vector<figure::Table>& tables = app.result()->result.tables;
  const std::vector<std::string> said = said_names(app, ui);
  const std::vector<std::string_view> names(said.begin(), said.end());
  const auto now = static_cast<std::size_t>(shown(app) - tables.data());
  const float needed = segments_width(ui, names, ui.faces.words);
  const int clicked = needed <= width
                          ? segmented(ui, id, names, said, static_cast<int>(now), needed, ui.faces.words)
                          : choice_menu(ui, id, names, said, said[now], width);
  if (clicked >= 0) chosen_ = tables[static_cast<std::size_t>(clicked)].name;
}

void NumbersSection::draw(App& app, Ui& ui) {
  const figure::Table* table = shown(app);
  if (!table) return;
  const float width = room(ui), enlarge = ui.px(22);
  const std::size_t rows = row_count(*table), count = app.result()->result.tables.size();
  const std::vector<std::string> said = said_names(app, ui);
  const std::vector<std::string_view> names(said.begin(), said.end());
  // Short names stand in the head's own line, which leaves more of the pane to the numbers.
  const float needed = segments_width(ui, names, ui.faces.words);
  const bool beside = count > 1 && needed <= width - ui.px(90) - enlarge;
  const ImVec2 head = ImGui::GetCursorScreenPos();
  const std::string note = ui.say("{} rows", grouped(static_cast<std::int64_t>(rows)));
  if (!ui.sections.head(app, ui, "numbers", ui.say("Numbers"))) return;
  const ImVec2 below = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({head.x + width - ui.px(20), head.y + ui.px(1)});
  const Press large = press(ui, "enlarge-numbers", {ui.px(20), ui.px(20)});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (large.hovered || large.focused)
    draw.AddRectFilled(large.low, large.high, color(ui.tokens.control), ui.px(4));
  enlarge_mark(draw, {(large.low.x + large.high.x) / 2, (large.low.y + large.high.y) / 2}, ui.px(9),
               color(large.hovered ? ui.tokens.text : ui.tokens.secondary), std::max(1.0f, 1.2f * ui.scale));
  help(ui, large, ui.say("The table as large as the window"));
  if (large.clicked) large_wanted_ = true;
  if (beside) {
    ImGui::SetCursorScreenPos({head.x + width - needed - enlarge - ui.px(4), head.y - ui.px(2)});
    choose(app, ui, "table", needed);
  } else {
    put(draw, ui.faces.small_numbers, head.x + width - enlarge - ui.px(4),
        baseline_in(ui.faces.head, head.y, ui.px(22)), color(ui.tokens.faint), note, Align::right);
  }
  ImGui::SetCursorScreenPos(below);
  if (count > 1 && !beside) {
    gap(ui, 4);
    choose(app, ui, "table", width);
  }
  gap(ui, 4);
  table = shown(app);
  // The rest of the pane, and never more than the rows need; a few rows at least, however low the pane ends.
  const float whole = ui.px(table_row) * static_cast<float>(row_count(*table) + 1) + ui.px(6);
  body(app, ui, *table, "numbers",
       {width + ui.px(10),
        std::min(whole, std::max(ui.px(150), ImGui::GetContentRegionAvail().y - ui.px(12)))});
}

void NumbersSection::draw_large(App& app, Ui& ui) {
  if (std::exchange(large_wanted_, false)) ImGui::OpenPopup("large-numbers");
  if (!ImGui::IsPopupOpen("large-numbers")) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float margin = ui.px(24), padding = ui.px(18), foot = ui.px(34);
  const ImVec2 size(screen.x - 2 * margin, screen.y - 2 * margin);
  ImGui::SetNextWindowPos({margin, margin});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  if (begin_popup(ui, "large-numbers", ImGuiWindowFlags_NoScrollbar)) {
    const figure::Table* table = shown(app);
    if (!table) {
      ImGui::CloseCurrentPopup();
    } else {
      const ImVec2 head = ImGui::GetCursorScreenPos();
      const float width = size.x - 2 * padding;
      if (app.result()->result.tables.size() > 1) {
        choose(app, ui, "large-table", width);
        table = shown(app);
      } else {
        put(*ImGui::GetWindowDrawList(), ui.faces.words_bold, head.x,
            baseline_in(ui.faces.words_bold, head.y, ui.px(22)), color(ui.tokens.text),
            said_name(ui, *table));
      }
      ImGui::SetCursorScreenPos({head.x, head.y + ui.px(34)});
      body(app, ui, *table, "numbers-large", {width, size.y - 2 * padding - ui.px(34) - foot});
      const float row = head.y + size.y - 2 * padding - ui.px(24);
      put(*ImGui::GetWindowDrawList(), ui.faces.small_numbers, head.x,
          baseline_in(ui.faces.small_numbers, row, ui.px(24)), color(ui.tokens.faint),
          ui.say("{} rows", grouped(static_cast<std::int64_t>(row_count(*table)))) + " \u00B7 " +
              ui.say("right-click: copy a cell, a row, all, as Markdown or LaTeX"));
      const float wide = ui.px(80);
      ImGui::SetCursorScreenPos({head.x + width - wide, row});
      if (button(ui, "large-numbers-close", ui.say("Close"), {wide, ui.px(24)})) ImGui::CloseCurrentPopup();
    }
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

/// Of what was right-clicked.
void NumbersSection::copy_menu(App& app, Ui& ui, const figure::Table& table) {
  if (!ImGui::BeginPopup("copy")) return;
  ui.focus.begin_popup();
  const float width = ui.px(200);
  const bool cell = row_ < row_count(table) && column_ < table.columns.size();
  const auto take = [&](const std::string& text, const std::string& what) {
    ImGui::SetClipboardText(text.c_str());
    app.say(Notice::Kind::done, ui.say("copied: {}", what));
    ImGui::CloseCurrentPopup();
  };
  if (cell) {
    const figure::Column& column = table.columns[column_];
    const std::string value = column.of_words() ? exporter::plain_text(column.words[row_])
                                                : figure::exact_text(column.values[row_]);
    if (menu_row(ui, "menu:copy-cell", ui.say("Copy {}", value), {}, width)) take(value, value);
    if (menu_row(ui, "menu:copy-row", ui.say("Copy this row"), {}, width))
      take(tab_separated(row_of(table, row_)), ui.say("{} numbers", table.columns.size()));
  }
  if (menu_row(ui, "menu:Copy all numbers", ui.say("Copy all numbers"), {}, width)) {
    copy(app);
    ImGui::CloseCurrentPopup();
  }
  // For a text: the words of the window, the digits that it shows.
  const figure::Table said = study::translated(table, ui.language);
  if (menu_row(ui, "menu:copy-markdown", ui.say("Copy as a Markdown table"), {}, width))
    take(exporter::markdown_table(said, {}),
         ui.say("{} rows", grouped(static_cast<std::int64_t>(row_count(table)))));
  if (menu_row(ui, "menu:copy-latex", ui.say("Copy as a LaTeX table"), {}, width))
    take(exporter::latex_table(said, {}, table.name),
         ui.say("{} rows", grouped(static_cast<std::int64_t>(row_count(table)))));
  end_popup(ui);
}

}  // namespace orrery::gui
