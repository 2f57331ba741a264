// Rules and notes: what is said about the data, inside the panel.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/figure/contrast.h"
#include "app/figure/crowded_notes.h"
#include "app/figure/free_place.h"
#include "app/figure/path.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"
#include "app/figure/texts.h"

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

/// Beside the rule, on the side and in the row where nothing has been written yet; nothing where all is taken.
std::optional<Beside> place_beside(const Rule& rule, const Rect& stripe, const Stage& s) {
  const Rect& plot = s.frame.plot;
  const TextStyle style{Voice::words, s.theme.text_size, false};
  const double space = text_gap * style.size, clear = rule.to ? 0 : clearance * style.size,
               row = line_height(rule.text, style, s.metrics);
  // Ink on an accent ground would be lost: such a stripe speaks in the accent itself.
  const Ink ink =
      rule.ink.role == Role::accent_ground ? Ink{Role::accent, 0, 1} : Ink{rule.ink.role, rule.ink.index, 1};
  Label label{{}, rule.text, style, s.theme.color(ink), HAlign::left, VAlign::top, true};
  bool spare_grid = true;  // while there is a place that no grid line strikes through
  bool spare_data = s.data != nullptr;
  const auto free = [&] {
    const Rect box = label_box(label, s.metrics);
    const auto strikes = [&](const Rect& line) { return overlap(line, grown(box, -0.15 * style.size)); };
    if (spare_grid && std::any_of(s.grid.begin(), s.grid.end(), strikes)) return false;
    if (spare_data && Drawn{*s.data, 0, style.size, s.metrics}.under(box, 1e-9) > 0) return false;
    if (spare_data && struck_through(box, s.scene, s.first)) return false;  // by other rules
    return box.x >= plot.x && box.x + box.w <= plot.x + plot.w && box.y >= plot.y &&
           box.y + box.h <= plot.y + plot.h &&
           std::none_of(s.words.begin(), s.words.end(), [&](const Rect& w) { return overlap(w, box); });
  };
  const auto place = [&](double down) {  // rows from the top, or away from the rule
    if (rule.direction == Direction::vertical) {
      for (const HAlign h : {HAlign::right, HAlign::left}) {
        label.h = h;
        label.at = {
            h == HAlign::right ? stripe.x - space : (rule.to ? stripe.x : stripe.x + stripe.w) + space,
            plot.y + space / 2 + down * row};
        if (free()) return true;
      }
      return false;
    }
    for (const VAlign v : {VAlign::bottom, VAlign::top})
      for (const HAlign h : {HAlign::right, HAlign::left}) {
        label.h = h;
        label.v = v;
        label.at = {
            h == HAlign::right ? plot.x + plot.w - space : plot.x + space,
            v == VAlign::bottom ? stripe.y - clear - down * row : stripe.y + stripe.h + clear + down * row};
        if (free()) return true;
      }
    return false;
  };
  const bool vertical = rule.direction == Direction::vertical;
  // Words move a little along an upright rule to let grid lines pass, but never away from a level one. A grid line is less
  // in the way than data: all rows are tried before the words are laid on them, of a level rule those that are still near.
  const double near = vertical ? 2 : 0.25, rows = vertical ? std::floor(plot.h / row) : 3;
  struct Wish {
    bool spare_grid, spare_data;
    double farthest, step;
  };
  for (const Wish& wish : {Wish{true, true, near, 0.25},
                           {false, true, rows, 1},
                           {true, false, near, 0.25},
                           {false, false, rows, 1}}) {
    spare_grid = wish.spare_grid;
    spare_data = wish.spare_data && s.data;
    for (double down = 0; down < wish.farthest; down += wish.step)
      if (place(down)) return Beside{label, s.data && !spare_data};
  }
  return {};
}

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

}  // namespace

bool lies_on_data(const Rule& rule, const Stage& s) {
  const auto stripe = stripe_of(rule, s);
  if (!stripe || rule.text.empty()) return false;
  const auto beside = place_beside(rule, *stripe, s);
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
  const auto beside = place_beside(rule, *stripe, s);
  if (!beside) return s.scene.left_out.push_back(rule.text);
  const Rect box = label_box(beside->words, s.metrics);
  if (beside->on_data) veil(box, s);
  s.words.push_back(box);
  s.scene.primitives.emplace_back(beside->words);
}

namespace {

/// The last words that have room say that others have none.
void trail_off(const TextStyle& style, double width, const Stage& s) {
  if (s.scene.primitives.size() <= s.first) return;
  auto* last = std::get_if<Label>(&s.scene.primitives.back());
  if (!last || last->text.ends_with("…")) return;
  const FittedText longer = fit(last->text + " …", style, width, s.metrics);
  if (longer.text.empty()) return;
  last->text = longer.text;
  last->style = longer.style;
}

void draw_paragraph(const Note& note, Point at, const TextStyle& style, const Stage& s) {
  const Rect& plot = s.frame.plot;
  const double width = plot.x + plot.w - at.x, step = line_height("Ag", style, s.metrics);
  for (const Rect& words : s.words) at.y = std::max(at.y, words.y + words.h);
  const std::vector<std::string> lines = wrap(note.text, style, width, s.metrics);
  const auto room =
      static_cast<std::size_t>(std::max(0.0, std::floor((plot.y + plot.h - at.y) / step + 0.01)));
  if (room < lines.size()) s.scene.left_out.push_back(note.text);
  if (room == 0) return trail_off(style, width, s);
  for (std::size_t i = 0; i < std::min(lines.size(), room); ++i) {
    const bool cut = i + 1 == room && room < lines.size();
    const FittedText line = fit(cut ? lines[i] + " …" : lines[i], style, width, s.metrics);
    s.words.push_back({at.x, at.y, width, step});
    s.scene.primitives.emplace_back(
        Label{at, line.text, line.style, s.theme.color(note.ink), HAlign::left, VAlign::top, true});
    at.y += step;
  }
}

}  // namespace

/// Words below a small picture are no wider than it, for beside it another one may stand; as long as they can be read.
TextStyle narrowed(const Note& note, TextStyle style, const Stage& s) {
  constexpr double least = 0.7;
  if (s.has_axes || note.numbers || note.h != HAlign::center) return style;
  const double room = s.frame.plot.w, width = s.metrics.measure(note.text, style).width;
  if (width > room) style.size = stepped_size(style.size * std::max(least, room / width));
  return style;
}

bool as_high_as_its_room(const Note& note, const TextStyle& style, const Stage& s) {
  const double room = s.frame.to_page(note.x, note.y + note.room_y).y - s.frame.to_page(note.x, note.y).y;
  const Extent words = s.metrics.measure(note.text, style);
  return note.room_y == 0 || words.ascent + words.descent <= std::abs(room);
}

/// In fewer letters where it must be; what no letter of fits, and what is too high, is told.
void draw_in_room(Note note, const Stage& s) {
  note.size *= std::min(s.room_scale, s.note_scale);  // no larger than what stands free beside it
  const TextStyle style{note.numbers ? Voice::numbers : Voice::words, s.theme.text_size * note.size, false};
  const std::string begin =
      note.room > 0 ? beginning_of(note.text, style, room_of(note, s.frame), s.metrics) : note.text;
  if (begin.empty() || !as_high_as_its_room(note, style, s)) return s.scene.left_out.push_back(note.text);
  if (begin != note.text) s.scene.shortened.push_back(note.text);
  note.text = begin;
  note.size /= s.note_scale;  // which is for words that stand free
  note.room = note.room_y = 0;
  draw(note, s);
}

void draw(const Note& note, const Stage& s) {
  if (note.text.empty()) return;
  if (note.room > 0 || note.room_y > 0) return draw_in_room(note, s);
  const Point p = s.frame.to_page(note.x, note.y);
  if (!grown(s.frame.plot, 0.01).contains(p)) return;
  const TextStyle style{note.numbers ? Voice::numbers : Voice::words,
                        s.theme.text_size * note.size * s.note_scale, false};
  if (note.paragraph) return draw_paragraph(note, {p.x + note.dx, p.y + note.dy}, style, s);
  Label label{{p.x + note.dx, p.y + note.dy},
              note.text,
              narrowed(note, style, s),
              s.theme.color(note.ink),
              note.h,
              note.v,
              true};
  const Rect box = label_box(label, s.metrics), page = s.page(), &plot = s.frame.plot;
  if (box.w > page.w || box.h > page.h) return s.scene.left_out.push_back(note.text);
  constexpr double small = 0.8;  // a number that counts what it stands beside, as below a clock
  const bool beside = note.size < small && !s.has_axes;
  const auto covers = [&](const Rect& words) { return overlap(words, box); };
  if ((beside && note.numbers && struck_through(box, s.scene, s.first)) ||
      (beside && !is_word(note.text) && std::ranges::any_of(s.words, covers)))
    return s.scene.left_out.push_back(note.text);
  const bool in_plot = s.has_axes && box.w <= plot.w && box.h <= plot.h;
  const Rect room = in_plot ? plot : page;
  label.at.x += std::max(0.0, room.x - box.x) - std::max(0.0, box.x + box.w - room.x - room.w);
  label.at.y += std::max(0.0, room.y - box.y) - std::max(0.0, box.y + box.h - room.y - room.h);
  const Rect placed = label_box(label, s.metrics);
  if (in_plot && struck_through(placed, s.scene, s.first)) veil(placed, s);
  s.words.push_back(placed);
  s.scene.primitives.emplace_back(std::move(label));
}

}  // namespace orrery::figure
