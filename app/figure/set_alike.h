// What belongs together is set alike: headings of a row, and of both sides of a comparison; names that several axes have;
// numbers in the cells of maps; words in two drawings of one thing.
#pragma once

#include <cstddef>
#include <vector>

#include "app/figure/cells.h"
#include "app/figure/figure.h"
#include "app/figure/panel_plan.h"

namespace orrery::figure {

class SetAlike {
 public:
  SetAlike(const Figure&, const std::vector<Cell>&);

  /// In the letters of the smallest, and both of a pair in lines that the narrower has room for, as the panels were measured.
  /// `settling`: nothing becomes larger or wider again.
  void headings(std::vector<PanelPlan>&, bool settling) const;
  bool headings_agree(const std::vector<PanelPlan>&) const;
  /// In panels that are settled.
  void letters(std::vector<PanelPlan>&) const;
  /// Legends above the plots of two sides in one row, from the same height on.
  void legends(std::vector<PanelPlan>&) const;

 private:
  using Panels = std::vector<std::size_t>;
  std::vector<Panels> companions_;  ///< a row, with all rows that hold the other side of one of its panels
  std::vector<Panels> pairs_;       ///< both on the page
  const std::vector<Cell>& cells_;
};

}  // namespace orrery::figure
