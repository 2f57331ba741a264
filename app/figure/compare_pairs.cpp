#include "app/figure/compare_pairs.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/figure/color_scales.h"

namespace orrery::figure {

namespace {

/// Words without their numbers: "score at 12" and "score at 4096" speak of the same.
std::string without_numbers(std::string_view text) {
  constexpr std::string_view thin_space = "\u2009", minus = "−";
  std::string words;
  for (std::size_t i = 0; i < text.size();) {
    if (const auto rest = text.substr(i); rest.starts_with(thin_space) || rest.starts_with(minus)) {
      i += 3;
      continue;
    }
    const char c = text[i++];
    if ((c < '0' || c > '9') && c != '.' && c != '-' && c != ' ') words += c;
  }
  return words;
}

std::vector<ColorScale*> color_scales_of(Panel& panel) {
  std::vector<ColorScale*> scales;
  for (Mark& mark : panel.marks)
    if (auto* map = std::get_if<Heatmap>(&mark))
      scales.push_back(&map->colors);
    else if (auto* contours = std::get_if<Contours>(&mark))
      scales.push_back(&contours->colors);
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

std::string panel_name(const Panel& panel, std::size_t index, std::size_t count) {
  if (count == 1) return {};
  return panel.title.empty() ? "panel " + std::to_string(index + 1) + ": " : panel.title + ": ";
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
    return words.a + ": " + of_a + " " + words.b + ": " + of_b;
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
    if (!merged.remark.empty())
      out.remarks.push_back(panel_name(b.panels[i], i, b.panels.size()) + merged.remark);
    if (merged.panel) {
      merged.panel->cell = whole_cell(b.panels[i].cell);
      figure.panels.push_back(std::move(*merged.panel));
      continue;
    }
    Panel left = a.panels[i], right = b.panels[i];
    left.handles.clear();
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
