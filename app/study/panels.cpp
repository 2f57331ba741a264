#include "app/study/panels.h"

#include <utility>

namespace orrery::study {

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
  figure.panels.clear();
  figure.panels.push_back(std::move(panel));
  figure.row_weights = {1};
  figure.col_weights = {1};
  figure.aspect = figure.panels[0].equal_aspect ? 1.25 : 1.5;
}

}  // namespace orrery::study
