#include "app/study/rope/clocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string>

#include "app/study/text.h"

namespace orrery::study {
namespace {

using figure::Ink;
using figure::Role;

constexpr double clock_turn = 2 * std::numbers::pi;
constexpr double gap = std::numeric_limits<double>::quiet_NaN();

int pair_of(const std::vector<Clock>& clocks, int index) {
  const int own = clocks[static_cast<std::size_t>(index)].pair;
  return own < 0 ? index : own;
}

struct Place {
  double x, y;
};

/// Where clocks stand, in reading order; in radii.
struct Dials {
  int columns;
  double reach;             ///< of the hand of a vector of length 1
  double pitch_x, pitch_y;  ///< from centre to centre
  double number_drop;       ///< from a centre to its number: midway between two rims

  Place place_of(int index) const { return {pitch_x * (index % columns), -pitch_y * (index / columns)}; }
};

// Of clocks that have words beside them, in radii.
constexpr double words_apart = 0.3;  ///< between a hand and words, on either side
constexpr double words_width = 2.3;  ///< "20.9k" in letters of which two lines have room beside a clock
constexpr double names_width = 2.5;  ///< of what the lines are called, left of the first clock
constexpr double words_up = 0.6;     ///< of either line, from the middle of a clock
constexpr double edge = 0.15;        ///< beyond the outermost hands
constexpr double rows_apart = 0.5;   ///< between the hands of two rows

double told_width(const Dials& dials) {
  return dials.pitch_x * (dials.columns - 1) + 2 * (dials.reach + words_apart) + names_width + words_width;
}
double told_height(const Dials& dials, int rows) {
  return dials.pitch_y * (rows - 1) + 2 * (dials.reach + edge);
}

Dials told_dials(int columns, double reach) {
  return {columns, reach, 2 * (reach + words_apart) + words_width, 2.1 * reach + rows_apart, 0};
}

/// In as many rows as make clocks largest: across a printed page they have eight or nine times as much width as height,
/// across a window four or five times. Hands of any length find their clocks at the same place.
int told_columns(int count) {
  constexpr double shape = 6.5;
  int chosen = count;
  double largest = 0;
  for (int rows = 1; rows <= count; ++rows) {
    const Dials dials = told_dials((count + rows - 1) / rows, 1);
    const double radius = std::min(shape / told_width(dials), 1 / told_height(dials, rows));
    if (radius <= largest) continue;
    largest = radius;
    chosen = dials.columns;
  }
  return chosen;
}

/// How much longer than its vector a hand is, by an attention factor; not by the vector, which moves under the pointer.
double stretch_of(const std::vector<Clock>& clocks) {
  double stretch = 1;
  for (const Clock& clock : clocks)
    if (const double length = std::hypot(clock.from_x, clock.from_y); length > 0)
      stretch = std::max(stretch, std::hypot(clock.to_x, clock.to_y) / length);
  return stretch;
}

/// A block about twice as wide as high: 8 × 4 for a head of 64, 12 × 6 for one of 128. Clocks stand farther apart where an
/// attention factor makes hands longer than a rim, so that none points into its neighbour; and stay where they are while a
/// hand is dragged.
Dials dials_for(const std::vector<Clock>& clocks, const ClockLook& look) {
  const double reach = stretch_of(clocks);
  if (look.turns) return told_dials(told_columns(static_cast<int>(clocks.size())), reach);
  constexpr double in_a_block = 2.6, rows = 3.05, drop = 1.52;
  return {static_cast<int>(std::ceil(std::sqrt(2.0 * static_cast<double>(clocks.size())))), reach,
          in_a_block * reach, rows * reach, drop * reach};
}

void move_pen(figure::Line& line) {
  line.x.push_back(gap);
  line.y.push_back(gap);
}

void add_arc(figure::Line& line, Place centre, double radius, double from, double sweep) {
  const int steps = std::max(2, static_cast<int>(std::ceil(std::abs(sweep) / clock_turn * 72)));
  for (int i = 0; i <= steps; ++i) {
    const double angle = from + sweep * i / steps;
    line.x.push_back(centre.x + radius * std::cos(angle));
    line.y.push_back(centre.y + radius * std::sin(angle));
  }
  move_pen(line);
}

void add_segment(figure::Line& line, Place from, Place to) {
  line.x.insert(line.x.end(), {from.x, to.x});
  line.y.insert(line.y.end(), {from.y, to.y});
  move_pen(line);
}

figure::Line stroke(Ink ink, double width) {
  figure::Line line;
  line.ink = ink;
  line.width = width;
  line.dash_by_series = false;
  line.reading.none = true;
  return line;
}

figure::Axis unseen(double lo, double hi) {
  figure::Axis axis;
  axis.range = figure::Range{lo, hi};
  axis.visible = false;
  return axis;
}

bool once_round(const Clock& clock) {
  return std::abs(clock.angle) >= clock_turn;
}

/// Dots of one age, of the clocks that have come round or of the others.
figure::Points trail_dots(const std::vector<Clock>& clocks, std::size_t age, bool round, const Dials& dials,
                          Ink ink) {
  figure::Points dots{.ink = ink,
                      .radius = clocks.size() > 32 ? 0.6 : 0.8,
                      .symbol_by_series = false,
                      .within = 0.1,
                      .reading = {.none = true}};
  for (int i = 0; i < static_cast<int>(clocks.size()); ++i) {
    const Clock& clock = clocks[i];
    if (age >= clock.trail.size() || once_round(clock) != round) continue;
    const Place centre = dials.place_of(i);
    dots.x.push_back(centre.x + clock.trail[age].x);
    dots.y.push_back(centre.y + clock.trail[age].y);
  }
  return dots;
}

void add_trails(figure::Panel& panel, const std::vector<Clock>& clocks, const Dials& dials) {
  std::size_t longest = 0;
  for (const Clock& clock : clocks) longest = std::max(longest, clock.trail.size());
  for (std::size_t age = longest; age-- > 0;)
    for (const bool round : {true, false}) {
      const Ink ink{round ? Role::text : Role::accent, 0, trail_alpha(age, longest)};
      if (figure::Points dots = trail_dots(clocks, age, round, dials, ink); !dots.x.empty())
        panel.marks.emplace_back(std::move(dots));
    }
}

figure::Note small_words(double x, double y, std::string text, Role role, double size) {
  figure::Note note{x, y, std::move(text), {role, 0, 1}};
  note.size = size;
  return note;
}

/// In four characters or five, so that those of neighbours stay apart: the slow pairs have hardly begun. What is cut to
/// thousands says so: 20 900 would look like a count.
std::string turns_text(double turns) {
  const double size = std::abs(turns);
  const auto three_digits = [](double x) { return std::abs(x) < 9.995 ? 2 : std::abs(x) < 99.95 ? 1 : 0; };
  if (size < 9999.5) return fixed_text(turns, three_digits(turns));
  const double thousands = turns / 1000;
  if (size < 999.5e3) return fixed_text(thousands, std::min(1, three_digits(thousands))) + "k";
  return fixed_text(thousands / 1000, three_digits(thousands / 1000)) + "M";
}

/// Right of each clock its pair, and below that how often its hand has gone round: words above and below clocks would
/// take the height of a second row. What the two lines are stands left of each row.
void add_turns(figure::Panel& panel, const std::vector<Clock>& clocks, const Dials& dials, int marked) {
  const int count = static_cast<int>(clocks.size()), rows = (count + dials.columns - 1) / dials.columns;
  const double beside = dials.reach + words_apart;
  const auto add = [&](Place at, double up, std::string text, Role role, figure::HAlign h) {
    figure::Note words = small_words(at.x, at.y + up, std::move(text), role, 0.75);
    words.h = h;
    panel.marks.emplace_back(std::move(words));
  };
  for (int i = 0; i < count; ++i) {
    const Clock& clock = clocks[static_cast<std::size_t>(i)];
    const auto [x, y] = dials.place_of(i);
    if (i % dials.columns == 0) {
      const Place left{x - beside, y};
      add(left, words_up, "pair $i$", Role::secondary, figure::HAlign::right);
      add(left, -words_up, "turns", Role::secondary, figure::HAlign::right);
    }
    const Place right{x + beside, y};
    const int pair = pair_of(clocks, i);
    add(right, words_up, std::to_string(pair), pair == marked ? Role::text : Role::secondary,
        figure::HAlign::left);
    add(right, -words_up, turns_text(clock.angle / clock_turn), once_round(clock) ? Role::text : Role::accent,
        figure::HAlign::left);
  }
  const double left = -beside - names_width, top = dials.reach + edge;
  panel.x.range = figure::Range{left, left + told_width(dials)};
  panel.y.range = figure::Range{top - told_height(dials, rows), top};
}

}  // namespace

std::vector<Clock> few_of(std::vector<Clock> clocks, int most, int marked) {
  const int count = static_cast<int>(clocks.size());
  for (int i = 0; i < count; ++i) clocks[static_cast<std::size_t>(i)].pair = i;
  if (count <= most) return clocks;
  constexpr double spread = 1.7;  // 1: evenly over all
  std::vector<int> chosen;
  for (int k = 0; k < most; ++k) {
    const double share = static_cast<double>(k) / (most - 1);
    const int wished = static_cast<int>(std::lround((count - 1) * std::pow(share, spread)));
    chosen.push_back(chosen.empty() ? 0 : std::max(chosen.back() + 1, wished));
  }
  chosen.back() = count - 1;
  if (marked >= 0 && marked < count && !std::ranges::binary_search(chosen, marked)) {
    // The first and the last stay.
    const std::span<int> inner = std::span(chosen).subspan(1, chosen.size() - 2);
    *std::ranges::min_element(inner, {}, [&](int i) { return std::abs(i - marked); }) = marked;
  }
  std::vector<Clock> few;
  for (const int i : chosen) few.push_back(std::move(clocks[static_cast<std::size_t>(i)]));
  return few;
}

double trail_alpha(std::size_t age, std::size_t length) {
  return 0.6 * (1 - static_cast<double>(age + 1) / static_cast<double>(length + 1));
}

figure::Panel clock_panel(const std::vector<Clock>& clocks, const ClockLook& look) {
  const int count = static_cast<int>(clocks.size());
  const Dials dials = dials_for(clocks, look);
  const int rows = (count + dials.columns - 1) / dials.columns;

  figure::Line rims = stroke({Role::outline, 0, 1}, 0.7), marked_rim = stroke({Role::secondary, 0, 1}, 1);
  figure::Line arcs = stroke({Role::accent, 0, 0.4}, 1.8);
  figure::Line turned = stroke({Role::text, 0, 1}, 1.2), turning = stroke({Role::accent, 0, 1}, 1.2);
  const bool crowded = count > 32;
  const double tip_radius = crowded ? 1.3 : 1.7;
  figure::Points turned_tips{
      .ink = {Role::text, 0, 1}, .radius = tip_radius, .within = 0.17, .reading = {.none = true}};
  figure::Points turning_tips = turned_tips;
  turning_tips.ink.role = Role::accent;
  std::vector<figure::Note> numbers;

  for (int i = 0; i < count; ++i) {
    const Clock& clock = clocks[i];
    const Place centre = dials.place_of(i);
    const int pair = pair_of(clocks, i);
    add_arc(pair == look.marked ? marked_rim : rims, centre, 1, 0, clock_turn);
    // Where the hand stood before it was turned: the arc begins here, and the first clock's handle lies on it.
    add_segment(rims, centre, {centre.x + clock.from_x, centre.y + clock.from_y});
    const double start = std::atan2(clock.from_y, clock.from_x);
    add_arc(arcs, centre, 1, start, std::fmod(clock.angle, clock_turn));

    figure::Line& hand = once_round(clock) ? turned : turning;
    figure::Points& tips = once_round(clock) ? turned_tips : turning_tips;
    const Place tip{centre.x + clock.to_x, centre.y + clock.to_y};
    add_segment(hand, centre, tip);
    tips.x.push_back(tip.x);
    tips.y.push_back(tip.y);

    figure::Note number{centre.x,
                        centre.y - dials.number_drop,
                        std::to_string(pair),
                        {pair == look.marked ? Role::text : Role::secondary, 0, 1}};
    number.size = crowded ? 0.65 : 0.75;
    number.numbers = true;
    numbers.push_back(std::move(number));
  }

  figure::Panel panel;
  panel.equal_aspect = true;
  panel.legend = figure::LegendPlace::none;
  panel.x = unseen(-0.5 * dials.pitch_x, (dials.columns - 0.5) * dials.pitch_x);
  panel.y = unseen(-(rows - 1) * dials.pitch_y - dials.number_drop - 0.6, std::max(1.15, 0.05 + dials.reach));
  panel.marks = {std::move(rims),    std::move(marked_rim),  std::move(arcs),        std::move(turned),
                 std::move(turning), std::move(turned_tips), std::move(turning_tips)};
  add_trails(panel, clocks, dials);
  if (look.turns)
    add_turns(panel, clocks, dials, look.marked);
  else
    for (figure::Note& number : numbers) panel.marks.emplace_back(std::move(number));
  return panel;
}

void add_clock_handles(figure::Panel& panel, const std::vector<Clock>& clocks, const ClockLook& look) {
  const Dials dials = dials_for(clocks, look);
  for (int i = 0; i < static_cast<int>(clocks.size()); ++i) {
    const Place centre = dials.place_of(i);
    panel.handles.push_back(
        {.x = centre.x + clocks[i].to_x,
         .y = centre.y + clocks[i].to_y,
         .parameter = "vector",
         .origin_x = centre.x,
         .origin_y = centre.y,
         .hint = "Drag a hand: every pair turns the same vector. Click a clock: its pair is drawn large."});
    // The clock's face: a press on it.
    panel.handles.push_back({.x = centre.x,
                             .y = centre.y,
                             .parameter = "pair",
                             .origin_x = centre.x - pair_of(clocks, i),
                             .origin_y = centre.y});
  }
}

}  // namespace orrery::study
