// The tensor that is selected in the browser: what it is, its statistics, its figure, whom it can be given to.
#include <algorithm>
#include <filesystem>

#include "app/gui/folder.h"
#include "app/gui/form.h"
#include "app/gui/number_text.h"
#include "app/gui/tensor_browser.h"
#include "app/language/error.h"

namespace orrery::gui {
namespace {

constexpr float fact_height = 20, figure_height = 216;

}  // namespace

/// A label at the left, what it is at the right; what is too long loses its beginning.
void TensorBrowser::fact(Ui& ui, const std::string& label, const std::string& value) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = room(ui), line = ui.px(fact_height);
  const Face &words = ui.faces.words, &numbers = ui.faces.small_numbers;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  put(draw, words, at.x, baseline_in(words, at.y, line), color(ui.tokens.secondary), label);
  const float room_left = width - words.width(label) - ui.px(12);
  put(draw, numbers, at.x + width, baseline_in(numbers, at.y, line), color(ui.tokens.text),
      fitted_end(numbers, value, room_left), Align::right);
  ImGui::Dummy({width, line});
}

/// Of a tensor that takes a while.
void TensorBrowser::progress(Ui& ui) {
  const auto& now = lookup_.progress();
  const std::uint64_t all = now ? now->all.load() : 0, read = now ? now->read.load() : 0;
  const double share = all > 0 ? static_cast<double>(read) / static_cast<double>(all) : 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = room(ui), line = ui.px(fact_height);
  put(*ImGui::GetWindowDrawList(), ui.faces.words, at.x, baseline_in(ui.faces.words, at.y, line),
      color(ui.tokens.faint), ui.say("reading \u2026") + " " + formatted("%.0f %%", 100 * share));
  const float top = at.y + line + ui.px(2);
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + width, top + ui.px(2)},
                                            color(ui.tokens.control));
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, top}, {at.x + width * static_cast<float>(share), top + ui.px(2)}, color(ui.tokens.accent));
  ui.items.mark("tensor-reading", at, {at.x + width, top + ui.px(2)});
  ImGui::Dummy({width, line + ui.px(8)});
}

void TensorBrowser::offer_uses(Ui& ui) {
  if (uses_.empty()) return;
  gap(ui, 8);
  section_head(ui, ui.say("Give it to"));
  gap(ui, 2);
  const float width = room(ui);
  for (const FileUse& use : uses_) {
    const std::string text = ui.say(use.study->title) + " › " + ui.say(use.parameter->label);
    const std::string name = "use:" + std::string(use.study->id) + "." + std::string(use.parameter->name);
    if (button(ui, name, fitted(ui.faces.words, text, width - ui.px(16)), {width, ui.px(24)})) use_ = use;
    gap(ui, 4);
  }
}

void TensorBrowser::detail(Ui& ui, ImVec2 size) {
  ImGui::BeginChild("tensor-detail", size);
  const TensorRow* row = selected_row();
  if (row && !row->head) {
    const study::TensorEntry& entry = tensors_[row->tensor];
    const float width = room(ui);
    put(*ImGui::GetWindowDrawList(), ui.faces.words_bold, ImGui::GetCursorScreenPos().x,
        baseline_in(ui.faces.words_bold, ImGui::GetCursorScreenPos().y, ui.px(24)), color(ui.tokens.text),
        fitted_end(ui.faces.words_bold, entry.name, width));
    ImGui::Dummy({width, ui.px(26)});
    fact(ui, entry.dtype + "  " + entry.shape, bytes_text(entry.bytes));
    if (!entry.shard.empty()) fact(ui, ui.say("file"), entry.shard);
    if (const auto& look = lookup_.look()) {
      for (const study::TensorFact& each : look->facts)
        fact(ui, language::say_phrase(ui.language, each.label), each.value);
      gap(ui, 8);
      if (!look->figure.panels.empty())
        figure_.draw(ui, {look, &look->figure}, {width, ui.px(figure_height)});
    } else if (!lookup_.error().empty()) {
      gap(ui, 6);
      wrapped_print(ui, ui.faces.words, ui.tokens.fails, language::say_error(ui.language, lookup_.error()));
      ui.items.mark_last("tensor-error");
    } else {
      progress(ui);
    }
    offer_uses(ui);
  } else if (row) {
    fact(ui, row->layer, row->tensors == 1 ? ui.say("{} tensor", 1) : ui.say("{} tensors", row->tensors));
    fact(ui, ui.say("size"), bytes_text(row->bytes));
  }
  ImGui::EndChild();
}

}  // namespace orrery::gui
