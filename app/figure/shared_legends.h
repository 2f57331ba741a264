// Legends above a plot that name the series of its neighbours too: in one strip over all of them they take fewer rows, and
// leave nothing blank above the others.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "app/figure/cells.h"
#include "app/figure/figure.h"
#include "app/figure/panel_plan.h"

namespace orrery::figure {

class SharedLegends {
 public:
  SharedLegends(const Figure& figure, const std::vector<Cell>& cells) : figure_(figure), cells_(cells) {}

  /// Finds the legends that save height so, as the panels were measured, and tells their panels where they stand.
  void choose(std::vector<PanelPlan>&, const std::vector<Rect>& rooms, const std::vector<Margins>&);
  /// Whether they stand below all titles that they pass under, as those were measured since.
  bool stand_below(const std::vector<PanelPlan>&) const;
  /// The same legends, in other rooms.
  void place(std::vector<PanelPlan>&, const std::vector<Rect>& rooms, const std::vector<Margins>&) const;

 private:
  using Panels = std::vector<std::size_t>;
  bool may_spread(std::size_t panel, const PanelPlan&) const;
  Panels neighbours(std::size_t panel, bool rightwards, const std::vector<PanelPlan>&) const;
  bool has_its_legend(std::size_t panel) const;

  const Figure& figure_;
  const std::vector<Cell>& cells_;
  std::map<std::size_t, Panels> below_;  ///< of the panel whose legend it is: all that it stands above
};

}  // namespace orrery::figure
