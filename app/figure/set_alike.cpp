#include "app/figure/set_alike.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <string>

namespace orrery::figure {
namespace {

using Panels = std::vector<std::size_t>;
using TitleBounds = PanelPlan::TitleBounds;

/// The panels on the page that `key` gives one number, where that is not 0.
template <class Key>
std::vector<Panels> grouped(const std::vector<Cell>& cells, const Key& key) {
  std::map<int, Panels> groups;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].on_page() && key(i) != 0) groups[key(i)].push_back(i);
  std::vector<Panels> all;
  for (auto& [number, panels] : groups) all.push_back(std::move(panels));
  return all;
}

Panels titled(const Panels& of, const std::vector<PanelPlan>& plans) {
  Panels found;
  std::ranges::copy_if(of, std::back_inserter(found), [&](std::size_t i) { return plans[i].has_title(); });
  return found;
}

double narrower_heading(const Panels& pair, const std::vector<PanelPlan>& plans) {
  double width = std::numeric_limits<double>::infinity();
  for (const std::size_t each : pair) width = std::min(width, plans[each].own_title().width);
  return width;
}

/// Names of axes that say the same are as large as the smallest of them.
void level_axis_titles(const std::vector<FittedText*>& titles) {
  std::map<std::string, double> least;
  for (const FittedText* title : titles) {
    double& size = least.emplace(title->text, title->style.size).first->second;
    size = std::min(size, title->style.size);
  }
  for (FittedText* title : titles) title->style.size = least[title->text];
}

}  // namespace

SetAlike::SetAlike(const Figure& figure, const std::vector<Cell>& cells)
    : pairs_(grouped(cells, [&](std::size_t i) { return figure.panels[i].pair; })), cells_(cells) {
  std::vector<int> row;
  for (const Cell& cell : cells) row.push_back(cell.row + 1);
  const auto join = [&](int from, int into) { std::ranges::replace(row, from, into); };
  for (const Panels& pair : pairs_)
    for (const std::size_t each : pair) join(row[each], row[pair.front()]);
  companions_ = grouped(cells, [&](std::size_t i) { return row[i]; });
}

void SetAlike::headings(std::vector<PanelPlan>& plans, bool settling) const {
  std::map<std::size_t, TitleBounds> bounds;
  for (const Panels& companions : companions_) {
    const Panels panels = titled(companions, plans);
    double size = std::numeric_limits<double>::infinity();
    for (const std::size_t each : panels) size = std::min(size, plans[each].own_title().size);
    for (const std::size_t each : panels) bounds[each] = {size, std::numeric_limits<double>::infinity()};
  }
  for (const Panels& pair : pairs_) {
    const Panels both = titled(pair, plans);
    if (both.size() != 2) continue;
    bounds[both[0]].width = bounds[both[1]].width = narrower_heading(both, plans);
    bounds[both[0]].other = plans[both[1]].title_words();
    bounds[both[1]].other = plans[both[0]].title_words();
  }
  for (auto& [panel, own] : bounds) {
    const std::optional<TitleBounds>& before = plans[panel].title_bounds();
    if (settling && before) {
      own.size = std::min(own.size, before->size);
      own.width = std::min(own.width, before->width);
    }
    plans[panel].set_title_bounds(own);
  }
}

bool SetAlike::headings_agree(const std::vector<PanelPlan>& plans) const {
  const auto of_one_size = [&](const Panels& companions) {
    const Panels panels = titled(companions, plans);
    return std::ranges::all_of(panels, [&](std::size_t each) {
      return plans[each].title_size() == plans[panels.front()].title_size();
    });
  };
  const auto broken_alike = [&](const Panels& pair) {
    const double width = narrower_heading(titled(pair, plans), plans);
    return std::ranges::all_of(pair, [&](std::size_t each) { return plans[each].title_is_within(width); });
  };
  return std::ranges::all_of(companions_, of_one_size) && std::ranges::all_of(pairs_, broken_alike);
}

void SetAlike::letters(std::vector<PanelPlan>& plans) const {
  std::vector<FittedText*> names;
  for (const Panels& companions : companions_) {
    int maps = 0;
    for (const std::size_t each : companions) {
      std::ranges::copy(plans[each].axis_titles(), std::back_inserter(names));
      maps += plans[each].numbered_maps();
    }
    if (maps < 2) continue;
    double size = std::numeric_limits<double>::infinity();
    for (const std::size_t each : companions) size = std::min(size, plans[each].cell_numbers());
    for (const std::size_t each : companions) plans[each].set_cell_numbers(size);
  }
  level_axis_titles(names);
  for (const Panels& pair : pairs_) {
    PanelPlan::NoteScales smallest;
    for (const std::size_t each : pair) {
      const PanelPlan::NoteScales own = plans[each].note_scales();
      smallest = {std::min(smallest.crowded, own.crowded), std::min(smallest.roomed, own.roomed)};
    }
    for (const std::size_t each : pair) plans[each].set_note_scales(smallest);
  }
}

void SetAlike::legends(std::vector<PanelPlan>& plans) const {
  for (const Panels& pair : pairs_) {
    if (cells_[pair.front()].row != cells_[pair.back()].row) continue;
    double top = 0;
    for (const std::size_t each : pair) top = std::max(top, plans[each].margins().top);
    for (const std::size_t each : pair) plans[each].set_top_margin(top);
  }
}

}  // namespace orrery::figure
