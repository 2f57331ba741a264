// A figure as data: panels of marks on scales, with labels. A plain value: copied, compared, laid out at any size later.
// Knows no pixels, no painter, no window. Its texts and lengths are as marks.h says.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/marks.h"
#include "app/figure/scale.h"
#include "app/figure/ticks.h"

namespace orrery::figure {

struct Axis {
  std::string label{};
  Scale scale{};
  std::optional<Range> range{};  ///< found in the marks when not given
  TickHint ticks = TickHint::none;
  bool visible = true;
  bool grid = false;                 ///< faint lines at the ticks
  bool reversed = false;             ///< largest value at the left or the bottom
  bool numbers = true;               ///< false: ticks without their labels
  std::vector<std::string> names{};  ///< of 0, 1, 2 …, said instead of numbers
  bool typed_names = false;          ///< they are a person's own words: no language says them otherwise
  /// Axes of one group, across panels, show one range; where they stand in line with each other only the lowest or the
  /// leftmost has labels. 0: alone.
  int group = 0;
};

/// A second axis opposite the first: above an x axis, or right of a y axis. It shows the same data in other units, through
/// a strictly monotone `map` from the first axis' values; or, without one, it is the scale of the marks it names, and the
/// first axis that of the others.
struct SecondAxis {
  Axis axis{};  ///< its range is found, by the map or in its marks, when not given
  std::function<double(double)> map{};
  std::vector<int> marks{};  ///< indices in the panel
};

/// A point that a person drags, bound to a parameter. value = (data position − origin) / unit; a vector parameter takes
/// both components, a number takes x (or y when `along_y`). `component` is where in a longer vector the two (or one) go.
/// Where the page shows more than two components, projected, `across` and `up` say by how much each of them, from
/// `component` on, grows with a unit of x and of y: what the page does not show is kept.
struct Handle {
  double x = 0, y = 0;  ///< where it stands now, data units
  std::string parameter{};
  double origin_x = 0, origin_y = 0, unit = 1;
  bool along_y = false;
  int component = 0;
  std::vector<double> across{}, up{};
  std::string hint{};  ///< what dragging it does
};

/// Where a panel stands in the figure's grid of cells. One of no rows stands nowhere.
struct Cell {
  int row = 0, col = 0, rows = 1, cols = 1;
  bool on_page() const { return rows > 0; }
  bool operator==(const Cell&) const = default;
};

struct Panel {
  std::string title{};
  Axis x{}, y{};
  std::vector<Mark> marks{};
  LegendPlace legend = LegendPlace::best;
  /// Panels of one group draw the same series in the same colours: the legend of one names, hides and shows them in all.
  /// 0: alone.
  int series_group = 0;
  /// Panels of one number are the two sides of a comparison: they stand beside each other, and are set alike. 0: alone.
  int pair = 0;
  bool equal_aspect = false;  ///< one unit of x as long as one of y
  bool frame = false;         ///< a full frame, as heatmaps have
  std::vector<Handle> handles{};
  Cell cell{};
  /// A page without room for all panels does without those of the highest rank first; panels of one rank go together.
  int rank = 0;
  std::string name{};  ///< in a word, whatever its title: what is said of a panel that has none
  std::optional<SecondAxis> top{}, right{};
};

/// Of a figure that moves: what it is that moves, said with its value, and which part of its way lies behind it.
struct Moment {
  std::string text{};
  double share = 0;  ///< 0 to 1
};

struct Figure {
  std::string title{};  ///< a sentence
  /// Of what: the model, and the settings that are not the usual ones; shown with the title.
  std::string subtitle{};
  std::string description{};  ///< what there is to see, for those who cannot see it, and for the file
  std::vector<Panel> panels{};
  std::vector<double> row_weights{1}, col_weights{1};  ///< the grid of cells, relative sizes
  double aspect = 1.6;  ///< width over height that suits it, when nobody asked for another
  std::optional<Moment> moment{};
};

}  // namespace orrery::figure
