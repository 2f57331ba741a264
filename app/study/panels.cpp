#include "app/study/panels.h"

#include <algorithm>
#include <utility>

namespace orrery::study {

namespace {

double aspect_of(const figure::Panel& panel) {
  constexpr double usual = 1.5, with_color_bar = 1.25;
  if (!panel.equal_aspect || !panel.x.range || !panel.y.range) return usual;
  return std::max(with_color_bar, panel.x.range->length() / panel.y.range->length());
}

}  // namespace

void show_only(figure::Figure& figure, std::string_view names, std::string_view chosen) {
  std::size_t index = 0;
  for (std::size_t from = 0; names.substr(from, names.find('|', from) - from) != chosen; ++index) {
    const std::size_t bar = names.find('|', from);
    if (bar == std::string_view::npos) return;
    from = bar + 1;
  }
  if (index == 0 || index > figure.panels.size()) return;
  figure::Panel panel = std::move(figure.panels[index - 1]);
  panel.title.clear();
  panel.cell = {};
  figure.aspect = aspect_of(panel);
  figure.panels.clear();
  figure.panels.push_back(std::move(panel));
  figure.row_weights = {1};
  figure.col_weights = {1};
}

}  // namespace orrery::study
