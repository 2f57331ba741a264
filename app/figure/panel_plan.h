// A panel on its way to the page: what it shows, what stands around it, and where. The layout refines it in a
// few passes.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/axis_guide.h"
#include "app/figure/cells.h"
#include "app/figure/color_groups.h"
#include "app/figure/color_map.h"
#include "app/figure/crowded_notes.h"
#include "app/figure/digest.h"
#include "app/figure/layout.h"
#include "app/figure/legend.h"
#include "app/figure/legend_ends.h"
#include "app/figure/second_axis.h"
#include "app/figure/shared_axes.h"

namespace orrery::figure {

struct Stage;
struct Lettering;

/// What labels may reach beyond their margins, text sizes: the page keeps a little more.
inline constexpr double page_slack = 0.25;

/// What all panels of a figure are planned on.
struct Sheet {
  const std::map<int, ColorGroup>& groups;  ///< colour scales that several panels share; no plan keeps them
  const LayoutOptions& options;
  const Theme& theme;
  const TextMetrics& metrics;
};

class PanelPlan {
 public:
  /// `axes` are the panel's own as they are drawn beside the others.
  PanelPlan(const Panel&, const PanelDigest&, int index, const PanelAxes& axes, const Sheet&, Detail);

  /// Chooses ticks, wraps words and measures the margins for a plot in this room.
  Margins measure(const Rect& room);
  /// Settles the plot in its room: ticks stay, labels that no longer fit go.
  void settle(const Rect& room);
  /// Returns false when there is no place for the legend inside; then set it outside and lay out again.
  bool draw(Scene&) const;

  /// Where a legend goes that finds no place inside: above the plot, or beside it where it would take many rows.
  LegendPlace legend_outside() const;
  void set_legend_place(LegendPlace place) {
    legend_place_ = place;
    may_name_ends_ = false;
    if (place == LegendPlace::none) legend_.clear();
  }
  /// A legend above its plot is set tighter where it would be higher than the plot.
  void set_sparing() { sparing_ = true; }
  /// How high the legend is that stands above a plot lower than it, with too little left to see anything; 0: none does.
  double pressing_legend() const;
  /// Whether every name of its axes has its place, every line of its table, and the title its usual size.
  bool says_its_words() const;
  /// How a title is set beside those that it belongs to: in letters no larger than theirs, and beside that of the other side
  /// in lines no wider, which have room for the words of both.
  struct TitleBounds {
    double size = 0, width = std::numeric_limits<double>::infinity();  ///< points
    std::string other{};
  };
  const std::string& title_words() const { return title_words_; }
  bool has_title() const { return !title_.empty(); }
  /// What it would have with that width alone, and what its panel has room for.
  TitleBounds own_title() const { return {.size = own_title_size_, .width = heading_width_}; }
  void set_title_bounds(TitleBounds bounds) { title_bounds_ = std::move(bounds); }
  const std::optional<TitleBounds>& title_bounds() const { return title_bounds_; }
  double title_size() const { return title_style_.size; }
  bool title_is_within(double width) const;
  /// Whether the title had to become smaller or shorter than titles are.
  bool small_title() const { return small_title_; }
  /// The room around the plot is no smaller than this.
  void set_least_margins(const Margins& least) { least_margins_ = least; }
  const Margins& margins() const { return margins_; }
  /// A legend above begins as far below its upper end as the title is high.
  void set_top_margin(double height) { margins_.top = height; }
  /// From now on margins only grow, and a title stays that fits into this room.
  void hold(const Margins& least, const Rect& room) {
    least_margins_ = least;
    holds_title_ = title_fits(room);
  }
  /// The colour group whose bar stands beside this panel; 0: none.
  int bar_group() const { return bar_group_; }
  /// All plots that the bar is as high as, and stands right of.
  void set_bar_beside(const Rect& plots) { beside_bar_ = plots; }
  /// Where, on the page, a bar begins that is higher than the panel's plot: title and legend end before it.
  void set_heading_end(std::optional<double> x) { heading_end_ = x; }
  /// How far the title and a legend above may reach beyond the panel's own margin, towards the next column.
  void set_heading_reach(double reach) { heading_reach_ = reach; }
  /// Whether it has a legend, wherever that stands; and whether it stands above the plot.
  bool has_legend() const { return !legend_.empty(); }
  bool has_legend_above() const {
    return legend_place_ == LegendPlace::above && !legend_.empty() && !ends_ && detail_ != Detail::bare;
  }
  /// From where to where on the page a legend above stands that neighbours share, and the height of the highest of their
  /// titles, which it stands below.
  struct LegendSpan {
    double left, right, titles;
  };
  void set_legend_span(std::optional<LegendSpan> span) { legend_span_ = span; }
  const std::optional<LegendSpan>& legend_span() const { return legend_span_; }
  /// Whether what is above the plot is lower so than in the panel's own width.
  bool saves_height(const LegendSpan&) const;
  /// Whether a legend passes over the axis left of the plot, whose title then ends where the plot does.
  void set_below_legend(bool below) { below_legend_ = below; }
  double title_height() const;

  /// Whether names that stand at the ends of their lines still have their place there when the plot stands in this room.
  bool keeps_ends(const Rect& room);
  /// Whether title and legend above, as they were set, still end where the panel does when the plot stands in this room.
  bool heading_fits(const Rect& room) const;

  /// Where the title begins; panels of a row then agree on the highest.
  double title_top() const { return title_top_; }
  void set_title_top(double y) { title_top_ = y; }
  const PanelFrame& frame() const { return frame_; }

  /// The names of its axes, as they were settled; empty ones had no room.
  std::vector<FittedText*> axis_titles();
  /// How many of its maps, of those that are shown, have numbers in their cells.
  int numbered_maps() const;
  /// The size in which these numbers have their room in each of them, points; none has room: infinite.
  double cell_numbers() const;
  void set_cell_numbers(double size) { cell_numbers_ = size; }
  /// By how much notes are written smaller where they crowd, and where they have rooms of their own.
  struct NoteScales {
    double crowded = 1, roomed = 1;
  };
  NoteScales note_scales() const;
  void set_note_scales(const NoteScales& scales) { note_scales_ = scales; }

  /// Width over height that the plot must keep; 0: it may take any.
  double shape() const;
  /// The largest box of the right shape in the middle of the room.
  Rect plot_in(const Rect& room) const;

 private:
  void equalise_view();
  void choose_colors(const std::map<int, ColorGroup>&);
  void follow_blocks();
  void measure_second_axes(double beyond);
  Rect bar_span() const { return beside_bar_.value_or(frame_.plot); }
  std::optional<Range> data_along_x() const;
  double heading_width(const Rect& room) const;
  double most_heading_width(const Rect& room) const;
  bool title_fits(const Rect& room) const;
  bool title_keeps_bounds() const;
  void choose_title();
  void choose_title_alone();
  bool break_title(std::size_t most, double size);
  bool has_room(const std::string& title_line) const;
  const std::string& other_title() const;
  void squeeze_title();
  void measure_legend_above();
  void narrow_legend(double width);
  void keep_titles_within(const Overhang& level, const Overhang& below_heading);
  void show_first_lines();
  void leave_out_line(std::size_t mark, const Stage&) const;
  void say_averaged(double room);
  std::optional<LineEnds> names_at_ends() const;
  double title_step() const;
  void draw_mark(std::size_t, const Stage&) const;
  /// Says which words around the marks have no place. `legend`: where the panel's own entries begin in the scene's.
  void say_left_out(std::size_t legend, Scene&) const;
  void leave_out_all(Scene&) const;
  std::vector<const Axis*> own_axes() const;  ///< as the figure has them
  /// Where marks are drawn from now on; `words` gathers those that have their place.
  Stage stage_on(Scene&, Lettering&, const std::vector<Rect>& grid) const;
  // Each mark's primitives are noted in `spans`; grounds lie below the grid's lines.
  void draw_grounds(Scene&, std::vector<PrimitiveSpan>& spans) const;
  void draw_marks(Scene&, const std::vector<Rect>& grid, std::vector<PrimitiveSpan>& spans) const;
  PanelRecord record() const;  ///< of what stands around the marks
  bool draw_legend(Scene&, std::size_t first, const std::vector<Rect>& grid) const;

  const Panel& panel_;
  const PanelDigest& digest_;
  int index_;
  const LayoutOptions& options_;
  const Theme& theme_;
  const TextMetrics& metrics_;
  Detail detail_;

  std::string x_label_, y_label_;
  Axis x_, y_;  ///< as drawn: without what the detail leaves out
  PanelFrame frame_;
  std::vector<std::optional<ValueColors>> colors_;  ///< per mark
  int bar_ = -1;                                    ///< which mark's colours the bar shows
  int bar_group_ = 0;
  std::string bar_label_;
  std::optional<Rect> beside_bar_;
  Axis bar_axis_;
  AxisGuide x_guide_, y_guide_, bar_guide_;
  struct SecondGuide {
    Axis axis;
    SecondScale scale;
    AxisGuide guide;
  };
  std::optional<SecondGuide> top_, right_;
  double right_thickness_ = 0, bar_thickness_ = 0;  ///< of the right axis; of the bar with its gap
  std::vector<std::string> title_;                  ///< in lines
  TextStyle title_style_;
  std::optional<TitleBounds> title_bounds_;
  double own_title_size_ = 0, title_width_ = 0;  ///< as it would be alone; that its lines may have
  bool small_title_ = false, cut_title_ = false, holds_title_ = false;
  double title_top_ = 0;
  std::optional<double> heading_end_;
  double heading_reach_ = 0;
  double heading_margin_ = 0;  ///< what is free for it right of the plot
  double heading_width_ = 0;   ///< of the title and of a legend above: the plot, and what is free right of it
  std::optional<LegendSpan> legend_span_;
  bool below_legend_ = false;
  double legend_drop_ =
      0;  ///< from the title down to the legend above: more than none below the titles of others
  std::vector<LegendEntry> names_, legend_;  ///< what could stand in the legend, and what does
  LegendPlace legend_place_;
  bool sparing_ = false, tight_ = false;
  bool may_name_ends_ = false, lost_ends_ = false;
  std::optional<LineEnds> ends_;  ///< where the legend's names stand at their lines instead
  std::string title_words_,
      chosen_words_;  ///< what the title says, with what the bar has no room for; and what it was broken into lines from
  double legend_width_ = 0, legend_height_ = 0;  ///< of the strip above the plot, or of the column beside it
  Margins margins_, least_margins_;
  CutTable table_;
  double cell_numbers_ = std::numeric_limits<double>::infinity();
  NoteScales note_scales_;
};

}  // namespace orrery::figure
