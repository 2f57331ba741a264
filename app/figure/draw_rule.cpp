// Rules: levels and stretches of the data that have a name.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "app/figure/contrast.h"
#include "app/figure/crowded_notes.h"
#include "app/figure/free_place.h"
#include "app/figure/path.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

constexpr double text_gap = 0.35;   // between a rule and its text, times the text size
constexpr double clearance = 0.15;  // and above or below a level one, besides the room a line of words has

Color stripe_color(const Ink& ink, const Theme& theme) {
  // A wide stripe is no wall: half of the tint that a small ground has.
  constexpr double of_tint = 0.55;
  if (ink.role == Role::accent || ink.role == Role::accent_ground)
    return over(theme.color({Role::accent_ground, 0, of_tint * ink.alpha}), theme.background);
  if (ink.role == Role::masked) return theme.color(ink);
  return theme.color({ink.role, ink.index, ink.alpha * 0.15});
}

/// The stripe on the page from `from` to `to`, right across the plot.
Rect across(const Rect& plot, Direction direction, double from, double to) {
  if (from > to) std::swap(from, to);
  return direction == Direction::vertical ? Rect{from, plot.y, to - from, plot.h}
                                          : Rect{plot.x, from, plot.w, to - from};
}

struct Beside {
  Label words;
  bool on_data;  ///< for want of a place where nothing is drawn
};

/// The words of a rule, and the places beside it that they may take.
class WordsBeside {
 public:
  /// `size`: times that of the usual letters.
  WordsBeside(const Rule& rule, const Rect& stripe, double size, const Stage& s)
      : s_(s),
        stripe_(stripe),
        vertical_(rule.direction == Direction::vertical),
        wide_(rule.to.has_value()),
        style_{Voice::words, stepped_size(size * s.theme.text_size), false},
        row_(line_height(rule.text, style_, s.metrics)) {
    // Ink on an accent ground would be lost: such a stripe speaks in the accent itself.
    const Ink ink = rule.ink.role == Role::accent_ground ? Ink{Role::accent, 0, 1}
                                                         : Ink{rule.ink.role, rule.ink.index, 1};
    words_ = {{}, rule.text, style_, s.theme.color(ink), HAlign::left, VAlign::top, true};
  }

  /// The first where nothing is.
  std::optional<Label> free_place() const {
    // Words move a little along an upright rule to let grid lines pass, but never away from a level one. A grid line is less in
    // the way than data: all rows are tried before the words are laid on them, of a level rule those that are still near. There
    // they lie beside it, while they have room.
    if (const auto free = first_free(vertical_ ? 2 : 0.25, 0.25, true)) return free;
    return first_free(rows(), 0.5, false);
  }
  /// The one where the least of the data is; nothing where all is taken.
  std::optional<Label> least_covering_place() const {
    if (const auto near = least_covering(vertical_ ? rows() : 0.5)) return near;
    return least_covering(rows());
  }

 private:
  double rows() const { return vertical_ ? std::floor(s_.frame.plot.h / row_) : 3; }

  std::optional<Label> least_covering(double farthest) const {
    std::optional<Label> best;
    double least = std::numeric_limits<double>::infinity();
    for (double down = 0; down < farthest; down += 0.5)
      for (const Label& label : in_row(down)) {
        const Rect box = label_box(label, s_.metrics);
        if (!has_room(box)) continue;
        const double cost = covered_data(box, least);
        if (cost >= least) continue;
        least = cost;
        best = label;
      }
    return best;
  }

  /// Rows count from the top, or away from the rule.
  std::vector<Label> in_row(double down) const {
    const Rect& plot = s_.frame.plot;
    const double space = text_gap * style_.size, clear = wide_ ? 0 : clearance * style_.size;
    std::vector<Label> all;
    Label label = words_;
    const auto add = [&](HAlign h, VAlign v, Point at) {
      label.h = h;
      label.v = v;
      label.at = at;
      all.push_back(label);
    };
    if (vertical_) {
      const double y = plot.y + space / 2 + down * row_;
      add(HAlign::right, VAlign::top, {stripe_.x - space, y});
      add(HAlign::left, VAlign::top, {(wide_ ? stripe_.x : stripe_.x + stripe_.w) + space, y});
      return all;
    }
    for (const VAlign v : {VAlign::bottom, VAlign::top}) {
      const double y =
          v == VAlign::bottom ? stripe_.y - clear - down * row_ : stripe_.y + stripe_.h + clear + down * row_;
      add(HAlign::right, v, {plot.x + plot.w - space, y});
      add(HAlign::left, v, {plot.x + space, y});
    }
    return all;
  }

  bool has_room(const Rect& box) const {
    const Rect& plot = s_.frame.plot;
    const double gap = text_gap * style_.size;  // words beside each other are not one
    const Rect apart{box.x - gap, box.y, box.w + 2 * gap, box.h};
    return box.x >= plot.x && box.x + box.w <= plot.x + plot.w && box.y >= plot.y &&
           box.y + box.h <= plot.y + plot.h && names_its_own(box) &&
           std::ranges::none_of(s_.lettering.words, [&](const Rect& each) { return overlap(each, apart); });
  }
  bool on_grid(const Rect& box) const {
    return std::any_of(s_.grid.begin(), s_.grid.end(),
                       [&](const Rect& line) { return overlap(line, grown(box, -0.15 * style_.size)); });
  }
  /// And of other rules.
  double covered_data(const Rect& box, double enough) const {
    if (!s_.data) return 0;
    const double data = Drawn{*s_.data, 0, style_.size, s_.metrics}.under(box, enough);
    const bool struck = struck_through(box, s_.scene, s_.first) || on_other_rule(box);
    return data < enough && struck ? data + style_.size : data;
  }
  bool is_own(const Rect& line) const {
    return !wide_ && std::abs(line.x - stripe_.x) + std::abs(line.y - stripe_.y) < 1e-9 &&
           (line.w > line.h) == !vertical_;
  }
  /// One that may be drawn later.
  bool on_other_rule(const Rect& box) const {
    const Rect letters = grown(box, -0.15 * style_.size);
    return std::ranges::any_of(s_.lettering.rules,
                               [&](const Rect& line) { return !is_own(line) && overlap(line, letters); });
  }
  /// Words of a level rule that are nearer to another one would name that.
  bool names_its_own(const Rect& box) const {
    if (vertical_ || wide_) return true;
    const double middle = box.y + box.h / 2, own = std::abs(middle - stripe_.y);
    return std::ranges::none_of(s_.lettering.rules, [&](const Rect& line) {
      return line.w > line.h && !is_own(line) && std::abs(middle - line.y) <= own + 1e-9;
    });
  }
  std::optional<Label> first_free(double farthest, double step, bool spares_grid) const {
    for (double down = 0; down < farthest; down += step)
      for (const Label& label : in_row(down)) {
        const Rect box = label_box(label, s_.metrics);
        if (has_room(box) && !(spares_grid && on_grid(box)) && covered_data(box, 1e-9) == 0) return label;
      }
    return {};
  }

  const Stage& s_;
  const Rect& stripe_;
  bool vertical_, wide_;
  TextStyle style_;
  double row_;  ///< height of one
  Label words_;
};

/// The rule's place on the page; nothing where it has none.
std::optional<Rect> stripe_of(const Rule& rule, const Stage& s) {
  const Rect& plot = s.frame.plot;
  const bool vertical = rule.direction == Direction::vertical;
  const auto on_page = [&](double v) {
    const Point p = s.frame.to_page(vertical ? v : s.frame.x.lo, vertical ? s.frame.y.lo : v);
    return vertical ? p.x : p.y;
  };
  const double low = vertical ? plot.x : plot.y, high = low + (vertical ? plot.w : plot.h);
  const double from = on_page(rule.at), to = rule.to ? on_page(*rule.to) : from;
  if (std::isnan(from) || std::isnan(to)) return {};
  constexpr double slack = 1e-6;
  if (std::max(from, to) < low - slack || std::min(from, to) > high + slack) return {};
  return across(plot, rule.direction, std::clamp(from, low, high), std::clamp(to, low, high));
}

/// Smaller letters rather than that data is covered; none at all where only small ones could cover it.
std::optional<Beside> words_beside(const Rule& rule, const Rect& stripe, const Stage& s) {
  for (const double size : {1.0, 0.85, 0.7})
    if (const auto free = WordsBeside(rule, stripe, size, s).free_place()) return Beside{*free, false};
  const auto least = WordsBeside(rule, stripe, 1, s).least_covering_place();
  if (!least) return {};
  return Beside{*least, s.data != nullptr};
}

}  // namespace

std::optional<Rect> line_of(const Rule& rule, const Stage& s) {
  return rule.to ? std::nullopt : stripe_of(rule, s);
}

bool lies_on_data(const Rule& rule, const Stage& s) {
  const auto stripe = stripe_of(rule, s);
  if (!stripe || rule.text.empty()) return false;
  const auto beside = words_beside(rule, *stripe, s);
  return beside && beside->on_data;
}

void draw(const Rule& rule, const Stage& s) {
  const auto stripe = stripe_of(rule, s);
  if (!stripe) return;
  if (rule.to) {
    if (stripe->w > 0 && stripe->h > 0)
      s.scene.primitives.emplace_back(Polygon{corners(*stripe), stripe_color(rule.ink, s.theme)});
  } else {
    s.scene.primitives.emplace_back(
        Polyline{{{stripe->x, stripe->y}, {stripe->x + stripe->w, stripe->y + stripe->h}},
                 s.theme.color(rule.ink),
                 rule.width,
                 dash_lengths(rule.dash, rule.width),
                 false});
  }
  if (rule.text.empty()) return;
  const auto beside = words_beside(rule, *stripe, s);
  if (!beside) return s.scene.left_out.push_back(rule.text);
  const Rect box = label_box(beside->words, s.metrics);
  if (beside->on_data) veil(box, s);
  s.lettering.words.push_back(box);
  s.scene.primitives.emplace_back(beside->words);
}

}  // namespace orrery::figure
