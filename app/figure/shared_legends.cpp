#include "app/figure/shared_legends.h"

#include <algorithm>

namespace orrery::figure {
namespace {

PanelPlan::LegendSpan span_over(const std::vector<std::size_t>& all, const std::vector<PanelPlan>& panels,
                                const std::vector<Rect>& rooms, const std::vector<Margins>& margins) {
  PanelPlan::LegendSpan span{rooms[all[0]].x, 0, 0};
  for (const std::size_t each : all) {
    span.left = std::min(span.left, rooms[each].x);
    span.right = std::max(span.right, rooms[each].x + rooms[each].w + margins[each].right);
    span.titles = std::max(span.titles, panels[each].title_height());
  }
  return span;
}

}  // namespace

/// A plot that keeps its shape may stand lower than its neighbours.
bool SharedLegends::may_spread(std::size_t panel, const PanelPlan& plan) const {
  const Panel& its = figure_.panels[panel];
  return cells_[panel].on_page() && its.series_group != 0 && !its.top && plan.has_legend_above() &&
         plan.shape() == 0;
}

bool SharedLegends::has_its_legend(std::size_t panel) const {
  return std::ranges::any_of(below_, [&](const auto& legend) {
    return std::ranges::find(legend.second, panel) != legend.second.end();
  });
}

/// Along the row as long as they draw the same series, do not name them themselves, have nothing but a title above their
/// plots, and no other legend: two would stand in one place.
SharedLegends::Panels SharedLegends::neighbours(std::size_t panel, bool rightwards,
                                                const std::vector<PanelPlan>& plans) const {
  Panels found;
  const auto adjoins = [&](const Cell& a, const Cell& b) {
    return b.on_page() && a.row == b.row && (rightwards ? b.col == a.col + a.cols : a.col == b.col + b.cols);
  };
  for (std::size_t at = panel;;) {
    std::size_t next = 0;
    while (next < cells_.size() && !adjoins(cells_[at], cells_[next])) ++next;
    if (next == cells_.size() || figure_.panels[next].series_group != figure_.panels[panel].series_group ||
        figure_.panels[next].top || plans[next].has_legend() || has_its_legend(next))
      return found;
    found.push_back(at = next);
  }
}

void SharedLegends::choose(std::vector<PanelPlan>& plans, const std::vector<Rect>& rooms,
                           const std::vector<Margins>& margins) {
  below_.clear();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (!may_spread(i, plans[i])) continue;
    Panels all{i};
    for (const bool rightwards : {true, false})
      for (const std::size_t each : neighbours(i, rightwards, plans)) all.push_back(each);
    if (all.size() > 1 && plans[i].saves_height(span_over(all, plans, rooms, margins)))
      below_.emplace(i, std::move(all));
  }
  place(plans, rooms, margins);
}

bool SharedLegends::stand_below(const std::vector<PanelPlan>& plans) const {
  return std::ranges::all_of(below_, [&](const auto& legend) {
    return std::ranges::all_of(legend.second, [&](std::size_t each) {
      return plans[each].title_height() <= plans[legend.first].legend_span()->titles;
    });
  });
}

void SharedLegends::place(std::vector<PanelPlan>& plans, const std::vector<Rect>& rooms,
                          const std::vector<Margins>& margins) const {
  for (PanelPlan& plan : plans) {
    plan.set_legend_span({});
    plan.set_below_legend(false);
  }
  for (const auto& [panel, all] : below_) {
    const PanelPlan::LegendSpan span = span_over(all, plans, rooms, margins);
    plans[panel].set_legend_span(span);
    for (const std::size_t each : all) plans[each].set_below_legend(rooms[each].x > span.left);
  }
}

}  // namespace orrery::figure
