// One panel over the other.
#include <algorithm>
#include <utility>
#include <vector>

#include "app/figure/compare_pairs.h"
#include "app/figure/data_range.h"
#include "app/figure/mark_facts.h"
#include "app/figure/reading.h"

namespace orrery::figure {

namespace {

constexpr double paleness = 0.55;       // of A's ink, beside B's
constexpr std::size_t most_labels = 5;  // of one side; with more, A has one for all

bool covers(const Mark& mark) {
  const auto* contours = std::get_if<Contours>(&mark);
  return contours ? contours->filled : facts(mark).nature == Nature::field;
}

/// What shows values in an ink of its own, and has a label for them: grey is construction.
bool is_series(const Mark& mark) {
  const MarkFacts own = facts(mark);
  return own.label && own.ink && (own.ink->role == Role::series || own.ink->role == Role::accent);
}

/// How well the ink of what is_series is seen.
double strength(const Mark& mark) {
  const Fact<Ink> ink = facts(mark).ink;
  return ink ? double(ink->alpha) : 0;
}

bool is_words(const Mark& mark) {
  const Nature nature = facts(mark).nature;
  return nature == Nature::words || nature == Nature::free_words;
}

/// Construction that both sides share: what says nothing of its own, at the same place.
struct SamePlace {
  bool operator()(const Line& a, const Line& b) const {
    return a.label.empty() && b.label.empty() && a.x == b.x && a.y == b.y;
  }
  bool operator()(const Points& a, const Points& b) const {
    return a.label.empty() && b.label.empty() && a.x == b.x && a.y == b.y;
  }
  bool operator()(const Shape& a, const Shape& b) const { return a.x == b.x && a.y == b.y; }
  bool operator()(const Arrows& a, const Arrows& b) const {
    return a.x == b.x && a.y == b.y && a.dx == b.dx && a.dy == b.dy;
  }
  bool operator()(const Arc& a, const Arc& b) const {
    return a.x == b.x && a.y == b.y && a.radius == b.radius && a.from == b.from && a.sweep == b.sweep;
  }
  bool operator()(const Rule& a, const Rule& b) const {
    return a.direction == b.direction && a.at == b.at && a.to == b.to;
  }
  /// Each side keeps what says something of its own.
  template <OneOf<Band, Bars, Stems, ErrorBars, Histogram, Note, Annotation, Inset, Heatmap, Contours> M>
  bool operator()(const M&, const M&) const {
    return false;
  }
};

bool in_both(const Mark& mark, const Panel& other) {
  return std::ranges::any_of(
      other.marks, [&](const Mark& own) { return same_kind(SamePlace{}, mark, own).value_or(false); });
}

void fade(Ink& ink) {
  ink.alpha *= paleness;
}
void fade(std::optional<Ink>& ink) {
  if (ink) fade(*ink);
}

/// As the older of two pictures: paler, dashed, with open symbols.
void make_older(Mark& mark) {
  std::visit(
      [](auto& m) {
        if constexpr (requires { m.ink; }) fade(m.ink);
        if constexpr (requires { m.fill; }) fade(m.fill);
        if constexpr (requires { m.edge; }) fade(m.edge);
        if constexpr (requires { m.dash; }) m.dash = m.dash == Dash::solid ? Dash::dashed : Dash::dotted;
        if constexpr (requires { m.dash_by_series; }) m.dash_by_series = false;
        if constexpr (requires { m.symbol; }) m.symbol = Symbol::ring;
        if constexpr (requires { m.symbol_by_series; }) m.symbol_by_series = false;
        if constexpr (std::is_same_v<std::decay_t<decltype(m)>, Rule>) m.text.clear();
        if constexpr (std::is_same_v<std::decay_t<decltype(m)>, Arc>) m.text.clear();
        if constexpr (std::is_same_v<std::decay_t<decltype(m)>, Contours>) m.numbers = false;
      },
      mark);
}

/// As the newer: what tells series apart must not look like what tells the sides apart.
void make_newer(Mark& mark) {
  if (auto* line = std::get_if<Line>(&mark)) line->dash_by_series = false;
}

/// Columns of both sides stand beside each other, each half as wide.
void move_aside(Mark& mark, double side) {
  auto* bars = std::get_if<Bars>(&mark);
  if (!bars) return;
  bars->width /= 2;
  for (double& x : bars->x) x += side * bars->width / 2;
}

std::size_t label_count(const std::vector<Mark>& marks) {
  return std::size_t(std::ranges::count_if(marks, [](const Mark& mark) {
    const std::string* label = label_of(mark);
    return label && !label->empty();
  }));
}

std::string side_name(const std::string& letter, const std::string& own) {
  return own.empty() ? letter : letter + ": " + own;
}

/// Legends that tell the sides apart: every label with its letter; where there are many, or none, the mark of a side that is
/// seen best, the first of them, speaks for it.
void label_sides(std::vector<Mark>& of_a, std::vector<Mark>& of_b, const Panel& a, const Panel& b,
                 const SideWords& words) {
  const auto is_shared = [&](const Mark& mark) { return in_both(mark, a) && in_both(mark, b); };
  const bool many = label_count(of_a) > most_labels || label_count(of_b) > most_labels;
  const auto letter = [](std::vector<Mark>& marks, const std::string& name) {
    for (Mark& mark : marks)
      if (std::string* label = label_of(mark); label && !label->empty()) *label = name + ": " + *label;
  };
  const auto speaker = [&](std::vector<Mark>& marks, const std::string& name) {
    const auto seen = [&](const Mark& mark) {
      return is_series(mark) && !is_shared(mark) ? strength(mark) : 0;
    };
    const auto best = std::ranges::max_element(marks, {}, seen);
    if (best != marks.end() && seen(*best) > 0) *label_of(*best) = name;
  };
  if (many) {
    for (Mark& mark : of_a)
      if (std::string* label = label_of(mark)) label->clear();
    speaker(of_a, side_name(words.a, words.a_own));
    return;
  }
  if (label_count(of_a) == 0)
    speaker(of_a, side_name(words.a, words.a_own));
  else
    letter(of_a, words.a);
  if (label_count(of_b) == 0)
    speaker(of_b, side_name(words.b, words.b_own));
  else
    letter(of_b, words.b);
}

/// Of words that both have only B's are written: those that A has otherwise say whose they are.
void letter_notes(std::vector<Mark>& of_b, const Panel& a, const std::string& b) {
  const auto of_a = [&](const std::string& text) {
    return std::ranges::any_of(a.marks, [&](const Mark& mark) {
      const Note* note = std::get_if<Note>(&mark);
      return note && (text.empty() || note->text == text);
    });
  };
  if (!of_a({})) return;
  for (Mark& mark : of_b)
    if (Note* note = std::get_if<Note>(&mark); note && !note->text.empty() && !of_a(note->text))
      note->text = b + ": " + note->text;
}

std::optional<Range> joined(const Axis& a, const Axis& b, Range of_a, Range of_b) {
  if (!a.range && !b.range) return std::nullopt;
  return Range{std::min(of_a.lo, of_b.lo), std::max(of_a.hi, of_b.hi)};
}

/// A second axis above says other units of the same values, or there is none.
bool same_top(const Panel& a, const Panel& b) {
  if (!a.top || !b.top) return !a.top && !b.top;
  return a.top->map && b.top->map && alike(a.top->axis, b.top->axis);
}

/// The marks of an axis with a scale of its own, in the merged panel.
bool merge_right(const Panel& a, const Panel& b, const std::vector<int>& place_of_a, int first_of_b,
                 Panel& merged) {
  if (a.right.has_value() != b.right.has_value()) return false;
  if (!b.right) return true;
  if (bool(a.right->map) != bool(b.right->map) || !alike(a.right->axis, b.right->axis)) return false;
  if (b.right->map) return true;
  merged.right->marks.clear();
  for (const int mark : a.right->marks)
    if (const int place = place_of_a.at(std::size_t(mark)); place >= 0) merged.right->marks.push_back(place);
  for (const int mark : b.right->marks) merged.right->marks.push_back(first_of_b + mark);
  merged.right->axis.range = joined(a.right->axis, b.right->axis, second_range(a, *a.right, false),
                                    second_range(b, *b.right, false));
  return true;
}

/// A stripe or an area that would hide what stands under it.
bool is_ground(const Mark& mark) {
  const auto* rule = std::get_if<Rule>(&mark);
  return std::holds_alternative<Band>(mark) || (rule && rule->to);
}

/// The grounds of both sides below all data of both.
void sink_grounds(Panel& panel) {
  std::vector<std::size_t> order;
  for (const bool grounds : {true, false})
    for (std::size_t i = 0; i < panel.marks.size(); ++i)
      if (is_ground(panel.marks[i]) == grounds) order.push_back(i);
  std::vector<Mark> marks;
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = int(i);
    marks.push_back(std::move(panel.marks[order[i]]));
  }
  panel.marks = std::move(marks);
  if (panel.right)
    for (int& mark : panel.right->marks) mark = place.at(std::size_t(mark));
}

}  // namespace

void say_sides(Figure& overlaid, const SideWords& words) {
  const auto say = [&](const std::string& letter, const std::string& own) {
    if (own.empty()) return;
    std::string* first = nullptr;
    for (Panel& panel : overlaid.panels) {
      if (panel.title.starts_with(side_title(letter, own, {}))) return;
      for (Mark& mark : panel.marks) {
        std::string* label = label_of(mark);
        if (!label) continue;
        if (*label == side_name(letter, own)) return;
        if (!first && label->starts_with(letter + ": ")) first = label;
      }
    }
    if (first) *first = side_title(letter, own, first->substr(letter.size() + 2));
  };
  say(words.a, words.a_own);
  say(words.b, words.b_own);
}

Merged overlay(const Panel& a, const Panel& b, const SideWords& words) {
  if (!alike(a, b)) return {{}, "the axes differ, so A and B stand side by side"};
  if (std::ranges::any_of(a.marks, covers) || std::ranges::any_of(b.marks, covers))
    return {{}, "colours would cover each other, so A and B stand side by side"};
  std::vector<Mark> of_a, of_b = b.marks;
  std::vector<int> place_of_a;
  for (const Mark& mark : a.marks) {
    const bool dropped = is_words(mark) || in_both(mark, b);
    place_of_a.push_back(dropped ? -1 : int(of_a.size()));
    if (!dropped) of_a.push_back(mark);
  }
  Panel merged = b;
  if (!same_top(a, b) || !merge_right(a, b, place_of_a, int(of_a.size()), merged))
    return {{}, "the second axes differ, so A and B stand side by side"};
  merged.x.range = joined(a.x, b.x, x_range(a), x_range(b));
  merged.y.range = joined(a.y, b.y, y_range(a), y_range(b));
  label_sides(of_a, of_b, a, b, words);
  letter_notes(of_b, a, words.b);
  for (Mark& mark : of_a) {
    make_older(mark);
    move_aside(mark, -1);
  }
  for (Mark& mark : of_b) {
    make_newer(mark);
    move_aside(mark, 1);
  }
  merged.marks = std::move(of_a);
  merged.marks.insert(merged.marks.end(), of_b.begin(), of_b.end());
  sink_grounds(merged);
  if (merged.legend == LegendPlace::none) merged.legend = LegendPlace::best;
  return {std::move(merged), {}};
}

}  // namespace orrery::figure
