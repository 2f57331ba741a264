// What stands above a panel's plot: its title, and a legend that has no place inside.
#include <algorithm>

#include "app/figure/panel_plan.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

constexpr double gap_slack =
    0.5;  // of titles beyond what of the gap before the next column is theirs, text sizes
constexpr double title_gap = 0.5;        // between a panel's title and what is below it, text sizes
constexpr double least_title = 0.88;     // of its size, to stay on one line
constexpr double least_in_two = 0.82;    // and on two
constexpr double squeezed_title = 0.75;  // of its size, before it loses words
constexpr std::size_t title_lines = 3,
                      cut_lines = 2;  // at most, of one that says all and of one that does not
constexpr double too_low = 6;         // text sizes: of a plot that is lower than the legend above it

}  // namespace

LegendPlace PanelPlan::legend_outside() const {
  constexpr double most_rows = 3, most_of_width = 0.4;
  const double row = legend_above_height(legend_, 1e9, theme_, metrics_);
  const bool tall = legend_above_height(legend_, frame_.plot.w, theme_, metrics_) > most_rows * row;
  const bool narrow = legend_beside_width(legend_, theme_) <= most_of_width * frame_.plot.w;
  return tall && narrow ? LegendPlace::right : LegendPlace::above;
}

double PanelPlan::pressing_legend() const {
  const double height = frame_.plot.h;
  return height < legend_height_ && height < too_low * theme_.text_size ? legend_height_ : 0;
}

void PanelPlan::measure_legend_above() {
  legend_height_ = legend_above_height(legend_, legend_width_, theme_, metrics_);
  if (!sparing_ || tight_ || legend_height_ <= frame_.plot.h) return;
  tight_ = true;
  legend_ = tightened(std::move(legend_), theme_, metrics_);
  legend_height_ = legend_above_height(legend_, legend_width_, theme_, metrics_);
}

/// Where the rows stay as many.
void PanelPlan::narrow_legend(double width) {
  if (width < legend_width_ && legend_above_height(legend_, width, theme_, metrics_) <= legend_height_)
    legend_width_ = width;
}

bool PanelPlan::saves_height(const LegendSpan& span) const {
  const double own = title_height() + legend_above_height(legend_, heading_width_, theme_, metrics_),
               spread = span.titles + legend_above_height(legend_, span.right - span.left, theme_, metrics_);
  return spread < own;
}

/// On one line, a little smaller if need be; else on two, if need be smaller too; else in as many as three.
void PanelPlan::choose_title() {
  chosen_words_ = title_words_;
  title_.clear();
  small_title_ = cut_title_ = false;
  title_style_.size = theme_.title_size;
  if (panel_.title.empty() || detail_ >= Detail::labels) return;
  const double room = heading_width_, width = metrics_.measure(title_words_, title_style_).width;
  if (width * least_title <= room) {
    const FittedText fitted = fit(title_words_, title_style_, room, metrics_);
    if (!fitted.text.empty()) {
      title_style_ = fitted.style;
      title_ = {title_words_};
      return;
    }
  }
  for (const double share : {1.0, (1 + least_title) / 2, least_title, least_in_two})
    if (break_title(2, share)) return;
  if (!break_title(title_lines, 1)) squeeze_title();
}

/// Into lines, in letters of that share of their size. Whether they have room, and are so few.
bool PanelPlan::break_title(std::size_t most, double share) {
  title_style_.size = share < 1 ? stepped_size(share * theme_.title_size) : theme_.title_size;
  title_ = wrap(title_words_, title_style_, heading_width_, metrics_);
  return title_.size() <= most &&
         std::ranges::all_of(title_, [&](const std::string& line) { return has_room(line); });
}

bool PanelPlan::has_room(const std::string& title_line) const {
  return metrics_.measure(title_line, title_style_).width <= heading_width_;
}

/// In smaller letters, then in fewer words: a panel without a title beside others that have theirs would seem to be part of them.
void PanelPlan::squeeze_title() {
  small_title_ = true;
  for (const double share : {least_title, (least_title + squeezed_title) / 2, squeezed_title})
    if (break_title(title_lines, share)) return;
  cut_title_ = true;
  const auto whole =
      std::ranges::find_if_not(title_, [&](const std::string& line) { return has_room(line); }) -
      title_.begin();
  title_.resize(std::clamp<std::size_t>(static_cast<std::size_t>(whole), 1, cut_lines));
  while (!title_.empty()) {
    const std::string last = beginning_of(title_.back() + " …", title_style_, heading_width_, metrics_);
    if (last.ends_with("…")) {
      title_.back() = last;
      return;
    }
    title_.pop_back();
  }
}

double PanelPlan::title_step() const {
  return line_height("Ag", {Voice::words, theme_.title_size, title_style_.bold}, metrics_);
}

double PanelPlan::title_height() const {
  return title_.empty() ? 0 : double(title_.size()) * title_step() + title_gap * theme_.text_size;
}

double PanelPlan::heading_width(const Rect& room) const {
  return room.x + room.w - plot_in(room).x + heading_margin_;
}

double PanelPlan::heading_slack() const {
  return (heading_reach_ > 0 ? gap_slack : page_slack) * theme_.text_size;
}

bool PanelPlan::title_fits(const Rect& room) const {
  return std::ranges::all_of(title_,
                             [&, most = heading_width(room) + heading_slack()](const std::string& line) {
                               return metrics_.measure(line, title_style_).width <= most;
                             });
}

bool PanelPlan::heading_fits(const Rect& room) const {
  const double most = heading_width(room) + heading_slack();
  const bool own_legend = legend_height_ > 0 && !legend_span_;
  if (own_legend && legend_above_height(legend_, most, theme_, metrics_) > legend_height_) return false;
  return title_fits(room);
}

}  // namespace orrery::figure
