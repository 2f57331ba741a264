#include "app/figure/compare_pairs.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figure/color_scales.h"
#include "app/figure/counterparts.h"

namespace orrery::figure {

namespace {

bool ends_a_sentence(std::string_view text) {
  return text.ends_with('.') || text.ends_with('?') || text.ends_with('!');
}

std::vector<ColorScale*> color_scales_of(Panel& panel) {
  std::vector<ColorScale*> scales;
  for (Mark& mark : panel.marks)
    if (ColorScale* scale = color_scale(mark)) scales.push_back(scale);
  return scales;
}

int highest_group(const Figure& figure) {
  int highest = 0;
  for (const Panel& panel : figure.panels) {
    highest = std::max({highest, panel.x.group, panel.y.group});
    for (const Mark& mark : panel.marks)
      if (const ColorScale* scale = color_scale(mark)) highest = std::max(highest, scale->group);
  }
  return highest;
}

// A pair in the cell of one panel: the grid gets two columns for each of its own.
Cell whole_cell(const Cell& c) {
  return {c.row, 2 * c.col, c.rows, 2 * c.cols};
}
Cell left_half(const Cell& c) {
  return {c.row, 2 * c.col, c.rows, c.cols};
}
Cell right_half(const Cell& c) {
  return {c.row, 2 * c.col + c.cols, c.rows, c.cols};
}

std::vector<double> halved(const std::vector<double>& column_weights, int columns) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < std::size_t(columns); ++i)
    weights.insert(weights.end(), 2, i < column_weights.size() ? column_weights[i] : 1.0);
  return weights;
}

/// What a remark calls a panel; one without a title then gets that as its title. Panels that share their words are counted.
std::string panel_name(const Figure& figure, std::size_t index) {
  for (const auto words : {&Panel::title, &Panel::name}) {
    const std::string& own = figure.panels[index].*words;
    if (!own.empty() && std::ranges::count(figure.panels, own, words) == 1) return own;
  }
  return "panel " + std::to_string(index + 1);
}

}  // namespace

bool same_grid(const Figure& a, const Figure& b) {
  return std::ranges::equal(a.panels, b.panels, [](const Panel& p, const Panel& q) {
    const Cell &u = p.cell, &v = q.cell;
    return u.row == v.row && u.col == v.col && u.rows == v.rows && u.cols == v.cols;
  });
}

bool alike(const Axis& a, const Axis& b) {
  return a.scale.kind() == b.scale.kind() && a.reversed == b.reversed && a.names == b.names &&
         without_numbers(a.label) == without_numbers(b.label);
}

bool alike(const Panel& a, const Panel& b) {
  return alike(a.x, b.x) && alike(a.y, b.y);
}

Groups::Groups(const Figure& a, const Figure& b)
    : beyond_a_(highest_group(a)), next_(beyond_a_ + highest_group(b) + 1) {}

void Groups::join(Panel& a, Panel& b) {
  move_beyond_a(b);
  a.pair = b.pair = ++pairs_;
  if (!alike(a, b)) return;
  share_axis(a.x, b.x);
  share_axis(a.y, b.y);
  const auto of_a = color_scales_of(a), of_b = color_scales_of(b);
  if (of_a.size() != of_b.size()) return;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    ColorScale &left = *of_a[i], &right = *of_b[i];
    const bool same = left.map == right.map && left.centre == right.centre &&
                      without_numbers(left.label) == without_numbers(right.label);
    if (same) left.group = right.group = known_or_fresh(left.group);
  }
}

void Groups::move_beyond_a(Panel& b) const {
  const auto move = [&](int& group) { group += group != 0 ? beyond_a_ : 0; };
  move(b.x.group);
  move(b.y.group);
  for (ColorScale* scale : color_scales_of(b)) move(scale->group);
}

void Groups::share_axis(Axis& a, Axis& b) {
  a.group = b.group = known_or_fresh(a.group);
}

int Groups::known_or_fresh(int group) {
  return group != 0 ? group : next_++;
}

std::string side_title(const std::string& letter, const std::string& own, const std::string& title) {
  return letter + (own.empty() ? "" : " (" + own + ")") + (title.empty() ? "" : ": " + title);
}

void join_words(const Figure& a, const Figure& b, const SideWords& words, Figure& joined) {
  const auto both = [&](const std::string& of_a, const std::string& of_b) {
    if (of_a == of_b) return of_b;
    return words.a + ": " + of_a + (ends_a_sentence(of_a) ? " " : ". ") + words.b + ": " + of_b;
  };
  joined.title = both(a.title, b.title);
  joined.description = both(a.description, b.description);
}

int column_count(const Figure& figure) {
  int count = 1;
  for (const Panel& panel : figure.panels) count = std::max(count, panel.cell.col + panel.cell.cols);
  return count;
}

int row_count(const Figure& figure) {
  int count = 1;
  for (const Panel& panel : figure.panels) count = std::max(count, panel.cell.row + panel.cell.rows);
  return count;
}

Comparison merge_panels(const Figure& a, const Figure& b, const SideWords& words, Merge merge) {
  Comparison out;
  Figure& figure = out.figure;
  join_words(a, b, words, figure);
  figure.row_weights = b.row_weights;
  figure.col_weights = halved(b.col_weights, column_count(b));
  figure.aspect = b.aspect;
  Groups groups(a, b);
  SideWords said = words;  // what is a side's own is said once
  for (std::size_t i = 0; i < b.panels.size(); ++i) {
    Merged merged = merge(a.panels[i], b.panels[i], words);
    const bool named = !merged.remark.empty() && b.panels.size() > 1;
    const std::string name = named ? panel_name(b, i) : std::string();
    if (!merged.remark.empty()) out.remarks.push_back(name + (named ? ": " : "") + merged.remark);
    if (merged.panel) {
      merged.panel->cell = whole_cell(b.panels[i].cell);
      if (merged.panel->title.empty()) merged.panel->title = name;
      figure.panels.push_back(std::move(*merged.panel));
      continue;
    }
    Panel left = a.panels[i], right = b.panels[i];
    left.handles.clear();
    for (Panel* side : {&left, &right})
      if (side->title.empty()) side->title = name;
    left.title = side_title(words.a, std::exchange(said.a_own, {}), left.title);
    right.title = side_title(words.b, std::exchange(said.b_own, {}), right.title);
    left.cell = left_half(left.cell);
    right.cell = right_half(right.cell);
    groups.join(left, right);
    figure.panels.push_back(std::move(left));
    figure.panels.push_back(std::move(right));
  }
  return out;
}

}  // namespace orrery::figure
