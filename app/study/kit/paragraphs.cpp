#include "app/study/kit/paragraphs.h"

#include <cmath>

namespace orrery::study {

figure::Panel paragraph_panel(std::vector<Paragraph> paragraphs) {
  figure::Panel panel;
  panel.x = {.range = figure::Range{0, 1}, .visible = false};
  panel.y = {.range = figure::Range{0, 1}, .visible = false};
  panel.legend = figure::LegendPlace::none;
  for (Paragraph& each : paragraphs) {
    figure::Note note{.x = 0, .y = 1, .text = std::move(each.text), .ink = each.ink};
    note.h = figure::HAlign::left;
    note.v = figure::VAlign::top;
    note.size = 0.92;
    note.paragraph = true;
    panel.marks.push_back(std::move(note));
  }
  return panel;
}

double paragraph_lines(const figure::Panel& panel) {
  constexpr double letters = 72;  // of a line
  double lines = 0;
  for (const figure::Mark& mark : panel.marks)
    if (const auto* note = std::get_if<figure::Note>(&mark))
      lines += std::ceil(static_cast<double>(note->text.size()) / letters);
  return lines;
}

}  // namespace orrery::study
