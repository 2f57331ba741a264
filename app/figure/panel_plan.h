// A panel on its way to the page: what it shows, what stands around it, and where. The layout refines it in a
// few passes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/axis_guide.h"
#include "app/figure/cells.h"
#include "app/figure/color_map.h"
#include "app/figure/layout.h"
#include "app/figure/legend.h"

namespace orrery::figure {

/// How much is said around the plots. A page too small for all of it does without, from the outside inwards.
enum class Detail : std::uint8_t { all, numbers, bare };

class PanelPlan {
 public:
  PanelPlan(const Panel&, int index, const LayoutOptions&, const Theme&, const TextMetrics&, Detail);

  /// Chooses ticks, wraps words and measures the margins for a plot in this room.
  Margins measure(const Rect& room);
  /// Settles the plot in its room: ticks stay, labels that no longer fit go.
  void settle(const Rect& room);
  /// Returns false when a legend wanted the best place and there is none; then call legend_above() and lay
  /// out again.
  bool draw(Scene&) const;

  void legend_above() { legend_place_ = LegendPlace::above; }
  /// A title that tells no panels apart speaks no louder than the rest.
  void plain_title() { title_style_.bold = false; }

  /// Where the title begins; panels of a row then agree on the highest.
  double title_top() const { return title_top_; }
  void set_title_top(double y) { title_top_ = y; }
  const PanelFrame& frame() const { return frame_; }

 private:
  Rect plot_in(const Rect& room) const;
  void equalise_view();
  void choose_title();
  double title_step() const;
  double title_height() const;
  void draw_marks(Scene&, const std::vector<Rect>& grid) const;
  bool draw_legend(Scene&, std::size_t first, const std::vector<Rect>& grid) const;

  const Panel& panel_;
  int index_;
  const LayoutOptions& options_;
  const Theme& theme_;
  const TextMetrics& metrics_;
  Detail detail_;

  Axis x_, y_;             ///< as drawn: without what the detail leaves out
  Range full_x_, full_y_;  ///< before anybody zoomed
  PanelFrame frame_;
  std::vector<std::optional<ValueColors>> colors_;  ///< per mark
  int bar_ = -1;                                    ///< which mark's colours the bar shows
  Axis bar_axis_;
  AxisGuide x_guide_, y_guide_, bar_guide_;
  std::vector<std::string> title_;  ///< in lines
  TextStyle title_style_;
  double title_top_ = 0;
  std::vector<LegendEntry> legend_;
  LegendPlace legend_place_;
  double legend_width_ = 0, legend_height_ = 0;  ///< of the strip above the plot
  Margins margins_;
};

}  // namespace orrery::figure
