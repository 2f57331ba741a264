// What stands above a panel's plot: its title, and a legend that has no place inside.
#include <algorithm>

#include "app/figure/panel_plan.h"
#include "app/figure/text_box.h"
#include "app/figure/title_lines.h"

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

bool PanelPlan::title_keeps_bounds() const {
  return !title_bounds_ ||
         (title_style_.size <= title_bounds_->size && title_is_within(title_bounds_->width));
}

/// As those that it belongs to have theirs, where it has room so.
void PanelPlan::choose_title() {
  chosen_words_ = title_words_;
  title_width_ = title_bounds_ ? std::min(heading_width_, title_bounds_->width) : heading_width_;
  choose_title_alone();
  own_title_size_ = title_style_.size;
  if (title_.empty() || !title_bounds_ || title_bounds_->size >= own_title_size_) return;
  const std::vector<std::string> alone = title_;
  if (break_title(title_lines, title_bounds_->size)) return;
  title_ = alone;
  title_style_.size = own_title_size_;
}

/// On one line, a little smaller if need be; else on two, if need be smaller too; else in as many as three.
void PanelPlan::choose_title_alone() {
  title_.clear();
  small_title_ = cut_title_ = false;
  title_style_.size = theme_.title_size;
  if (panel_.title.empty() || detail_ >= Detail::labels) return;
  const auto wide = [&](const std::string& words) { return metrics_.measure(words, title_style_).width; };
  const std::string& wider = wide(other_title()) > wide(title_words_) ? other_title() : title_words_;
  if (wide(wider) * least_title <= title_width_) {
    const FittedText fitted = fit(wider, title_style_, title_width_, metrics_);
    if (!fitted.text.empty()) {
      title_style_ = fitted.style;
      title_ = {title_words_};
      return;
    }
  }
  const double usual = theme_.title_size;
  if (break_title(2, usual)) return;
  for (const double share : {(1 + least_title) / 2, least_title, least_in_two})
    if (break_title(2, stepped_size(share * usual))) return;
  if (!break_title(title_lines, usual)) squeeze_title();
}

/// Into lines, in letters of that size. Whether they have room, and are so few.
bool PanelPlan::break_title(std::size_t most, double size) {
  title_style_.size = size;
  const auto lines = [&](const std::string& words, const std::string& others) {
    return wrap_alike(words, others, title_style_, title_width_, metrics_);
  };
  const auto have_room = [&](const std::vector<std::string>& broken) {
    return broken.size() <= most &&
           std::ranges::all_of(broken, [&](const std::string& line) { return has_room(line); });
  };
  title_ = lines(title_words_, other_title());
  return have_room(title_) && (other_title().empty() || have_room(lines(other_title(), title_words_)));
}

const std::string& PanelPlan::other_title() const {
  static const std::string none;
  return title_bounds_ ? title_bounds_->other : none;
}

bool PanelPlan::has_room(const std::string& title_line) const {
  return metrics_.measure(title_line, title_style_).width <= title_width_;
}

/// In smaller letters, then in fewer words: a panel without a title beside others that have theirs would seem to be part of
/// them.
void PanelPlan::squeeze_title() {
  small_title_ = true;
  for (const double share : {least_title, (least_title + squeezed_title) / 2, squeezed_title})
    if (break_title(title_lines, stepped_size(share * theme_.title_size))) return;
  cut_title_ = true;
  const auto whole =
      std::ranges::find_if_not(title_, [&](const std::string& line) { return has_room(line); }) -
      title_.begin();
  title_.resize(std::clamp<std::size_t>(static_cast<std::size_t>(whole), 1, cut_lines));
  while (!title_.empty()) {
    const std::string last = beginning_of(title_.back() + " …", title_style_, title_width_, metrics_);
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
  const double right = room.x + room.w + heading_margin_;
  return std::min(right, heading_end_.value_or(right)) - plot_in(room).x;
}

/// As far as one may reach that was set for another room.
double PanelPlan::most_heading_width(const Rect& room) const {
  const double slack = (heading_reach_ > 0 ? gap_slack : page_slack) * theme_.text_size;
  return heading_width(room) + (heading_end_ ? 0 : slack);
}

bool PanelPlan::title_is_within(double width) const {
  return std::ranges::all_of(
      title_, [&](const std::string& line) { return metrics_.measure(line, title_style_).width <= width; });
}

bool PanelPlan::title_fits(const Rect& room) const {
  return title_is_within(most_heading_width(room));
}

bool PanelPlan::heading_fits(const Rect& room) const {
  const double most = most_heading_width(room);
  const bool own_legend = legend_height_ > 0 && !legend_span_;
  if (own_legend && legend_above_height(legend_, most, theme_, metrics_) > legend_height_) return false;
  return title_fits(room);
}

}  // namespace orrery::figure
