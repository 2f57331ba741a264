// Which panels of two figures belong together, and one grid of cells for both.
#pragma once

#include <optional>
#include <string>

#include "app/figure/compare.h"

namespace orrery::figure {

/// Whether both figures have the same grid of panels, so that panel i of one belongs to panel i of the other.
bool same_grid(const Figure& a, const Figure& b);

/// Whether axes show the same quantity on the same kind of scale. Numbers in their labels may differ: they are settings.
bool alike(const Axis& a, const Axis& b);
bool alike(const Panel& a, const Panel& b);  ///< both axes

/// Numbers of groups of axes and colours that are right for both figures.
class Groups {
 public:
  Groups(const Figure& a, const Figure& b);
  /// Of panels that belong together: they are a pair, and where they show the same quantities, axes and colours have one
  /// range. Groups of B that happen to have the numbers of A's are kept apart otherwise. Each panel once.
  void join(Panel& a, Panel& b);
  void move_beyond_a(Panel& b) const;

 private:
  void share_axis(Axis& a, Axis& b);
  int known_or_fresh(int group);

  int beyond_a_;
  int next_;
  int pairs_ = 0;
};

/// The title of a panel of one side: "A: title", and in its first panel "A (base = 500 000): title".
std::string side_title(const std::string& letter, const std::string& own, const std::string& title);

/// The sentence above both, and what there is to see.
void join_words(const Figure& a, const Figure& b, const SideWords&, Figure& joined);

/// Of the grid of cells.
int column_count(const Figure&);
int row_count(const Figure&);

/// A pair of panels as one; without a panel they stand side by side. The remark says what a person should know of it.
struct Merged {
  std::optional<Panel> panel{};
  std::string remark{};
};
using Merge = Merged (*)(const Panel& a, const Panel& b, const SideWords&);

/// compare_overlay.cpp and compare_difference.cpp.
Merged overlay(const Panel& a, const Panel& b, const SideWords&);
Merged subtract(const Panel& a, const Panel& b, const SideWords&);

/// Where labels have their side's letter and none says what the side is, the first of each does: "A (base = 500 000): cosine".
void say_sides(Figure& overlaid, const SideWords&);

/// Every pair of panels merged into one in its place, or side by side there. Both figures have the same grid.
Comparison merge_panels(const Figure& a, const Figure& b, const SideWords&, Merge);

}  // namespace orrery::figure
