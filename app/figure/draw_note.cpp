// Notes: words at a point of the data.
#include <algorithm>
#include <cmath>

#include "app/figure/crowded_notes.h"
#include "app/figure/free_place.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"
#include "app/figure/texts.h"

namespace orrery::figure {

namespace {

constexpr double note_gap = 0.1;  // text sizes: closer to each other, two words are one

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
  for (const Rect& words : s.lettering.words) at.y = std::max(at.y, words.y + words.h);
  const std::vector<std::string> lines = wrap(note.text, style, width, s.metrics);
  const auto room =
      static_cast<std::size_t>(std::max(0.0, std::floor((plot.y + plot.h - at.y) / step + 0.01)));
  if (room < lines.size()) s.scene.left_out.push_back(note.text);
  if (room == 0) return trail_off(style, width, s);
  for (std::size_t i = 0; i < std::min(lines.size(), room); ++i) {
    const bool cut = i + 1 == room && room < lines.size();
    const FittedText line = fit(cut ? lines[i] + " …" : lines[i], style, width, s.metrics);
    s.lettering.words.push_back({at.x, at.y, width, step});
    s.scene.primitives.emplace_back(
        Label{at, line.text, line.style, s.theme.color(note.ink), HAlign::left, VAlign::top, true});
    at.y += step;
  }
}

/// Words below a small picture are no wider than it, for beside it another one may stand, and a line that is most of the plot
/// ends with it, for else it would move over what it begins behind; as long as they can be read.
TextStyle narrowed(const Note& note, double x, TextStyle style, const Stage& s) {
  constexpr double least = 0.7;
  const Rect& plot = s.frame.plot;
  const double width = s.metrics.measure(note.text, style).width;
  if (s.has_axes) return width <= plot.w ? style : fit(note.text, style, plot.w, s.metrics).style;
  if (note.numbers || note.h == HAlign::right) return style;
  const bool line = note.h == HAlign::left;
  if (line && width < plot.w / 2) return style;
  const double room = line ? plot.x + plot.w - x : plot.w;
  if (width <= room) return style;
  const FittedText fitted = fit(note.text, style, room, s.metrics);
  style.size = fitted.text.empty() ? stepped_size(least * style.size) : fitted.style.size;
  return style;
}

/// Lines of words one below the other, from where one would stand downwards or up; nothing where they are wider than the plot,
/// leave the page, or lie on what is drawn or written.
std::vector<Note> stacked(const std::vector<std::string>& lines, const Note& note, Label as_one,
                          bool downwards, const Stage& s) {
  const double step = line_height("Ag", as_one.style, s.metrics), middle = as_one.at.y;
  const Rect page = s.page();
  const Drawn drawn{s.data ? *s.data : s.scene, s.data ? 0 : s.first, s.theme.text_size, s.metrics};
  std::vector<Note> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double shift =
        step * (downwards ? static_cast<double>(i) : -static_cast<double>(lines.size() - 1 - i));
    as_one.text = lines[i];
    as_one.at.y = middle + shift;
    const Rect box = label_box(as_one, s.metrics);
    const Rect letters = grown(box, -0.15 * s.theme.text_size);
    const auto covers = [&](const Rect& words) { return overlap(words, letters); };
    if (box.w > s.frame.plot.w || box.y < page.y || box.y + box.h > page.y + page.h ||
        drawn.under(letters, 1e-9) > 0 || std::ranges::any_of(s.lettering.words, covers))
      return {};
    all.push_back(note);
    all.back().text = lines[i];
    all.back().dy += shift;
  }
  return all;
}

/// Words in the middle below or above a small picture that are wider than it even in small letters, as lines that are not,
/// smaller themselves if need be; empty where they are no such words, or have no room as lines either.
std::vector<Note> broken(Note note, const TextStyle& style, Label as_one, const Stage& s) {
  const double width = s.frame.plot.w, size = note.size;
  const bool under_or_over = note.h == HAlign::center && note.v != VAlign::middle;
  if (s.has_axes || note.numbers || !under_or_over || label_box(as_one, s.metrics).w <= width) return {};
  for (const double share : {1.0, 0.85, 0.7}) {
    note.size = share * size;
    as_one.style.size = share * style.size;
    const std::vector<std::string> lines = balanced(note.text, as_one.style, width, s.metrics);
    if (lines.size() != 2) continue;  // more would reach into the panel below
    for (const bool downwards : {true, false})
      if (std::vector<Note> all = stacked(lines, note, as_one, downwards, s); !all.empty()) return all;
  }
  return {};
}

bool as_high_as_its_room(const Note& note, const TextStyle& style, const Stage& s) {
  const double room = s.frame.to_page(note.x, note.y + note.room_y).y - s.frame.to_page(note.x, note.y).y;
  const Extent words = s.metrics.measure(note.text, style);
  return note.room_y == 0 || words.ascent + words.descent <= std::abs(room);
}

/// In fewer letters where it must be, of a number in none; what no letter of fits, and what is too high, is told.
void draw_in_room(Note note, const Stage& s) {
  note.size *= std::min(s.room_scale, s.note_scale);  // no larger than what stands free beside it
  const TextStyle style{note.numbers ? Voice::numbers : Voice::words, s.theme.text_size * note.size, false};
  const std::string begin =
      note.room > 0 ? beginning_of(note.text, style, room_of(note, s.frame), s.metrics) : note.text;
  const bool cut = begin != note.text;
  if (begin.empty() || !as_high_as_its_room(note, style, s)) return s.scene.left_out.push_back(note.text);
  const bool a_panel_may_go = note.numbers || note.whole;
  if (cut) (a_panel_may_go ? s.scene.left_out : s.scene.shortened).push_back(note.text);
  note.text = cut && note.numbers ? "…" : begin;
  note.size /= s.note_scale;  // which is for words that stand free
  note.room = note.room_y = 0;
  draw(note, s);
}

/// Lines of the grid go round words that stand on nothing else, as those above a bar do.
void clear_grid(const Rect& words, const Stage& s) {
  const double em = s.theme.text_size;
  const Rect ink = grown(words, -0.15 * em);
  const bool struck = std::ranges::any_of(s.grid, [&](const Rect& line) { return overlap(line, ink); });
  if (struck && Drawn{s.scene, s.first, em, s.metrics}.under(ink, 1e-9) == 0) veil(ink, s);
}

/// Words that would lie on others, or on what axes say, are told to be left out. In the place of a number or a formula, as in a
/// line of them, dots say that there is one; where they have no place either, the number is told too.
void give_way(const Note& note, Label label, const Stage& s) {
  if (note.text == "…") return;  // what it stands for is told
  s.scene.left_out.push_back(note.text);
  const bool is_name = is_word(note.text) && !note.numbers && note.text.find('$') == std::string::npos;
  if (is_name) return;
  label.text = "…";
  const Rect dots = label_box(label, s.metrics), &plot = s.frame.plot;
  const bool outside = s.has_axes && (dots.x < plot.x || dots.x + dots.w > plot.x + plot.w);
  if (outside || s.on_words(dots, note_gap)) return s.scene.numbers_gone.push_back(note.text);
  s.lettering.words.push_back(dots);
  s.scene.primitives.emplace_back(std::move(label));
}

}  // namespace

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
              narrowed(note, p.x + note.dx, style, s),
              s.theme.color(note.ink),
              note.h,
              note.v,
              true};
  if (const std::vector<Note> lines = broken(note, style, label, s); !lines.empty()) {
    for (const Note& line : lines) draw(line, s);
    return;
  }
  const Rect box = label_box(label, s.metrics), page = s.page(), &plot = s.frame.plot;
  if (box.w > page.w || box.h > page.h) return s.scene.left_out.push_back(note.text);
  if (s.has_axes && box.w > plot.w + 0.01) return give_way(note, std::move(label), s);
  constexpr double small = 0.8;  // a number that counts what it stands beside, as below a clock
  const bool beside = note.size < small && !s.has_axes;
  const auto covers = [&](const Rect& words) { return overlap(words, box); };
  if ((beside && note.numbers && struck_through(box, s.scene, s.first)) ||
      (beside && !is_word(note.text) && std::ranges::any_of(s.lettering.words, covers))) {
    s.scene.numbers_gone.push_back(note.text);  // without a trace
    return s.scene.left_out.push_back(note.text);
  }
  const bool in_plot = s.has_axes && box.w <= plot.w && box.h <= plot.h;
  const Rect room = in_plot ? plot : page;
  label.at.x += std::max(0.0, room.x - box.x) - std::max(0.0, box.x + box.w - room.x - room.w);
  label.at.y += std::max(0.0, room.y - box.y) - std::max(0.0, box.y + box.h - room.y - room.h);
  const Rect placed = label_box(label, s.metrics);
  if (s.on_words(placed, note_gap)) return give_way(note, std::move(label), s);
  if (in_plot && struck_through(placed, s.scene, s.first))
    veil(placed, s);
  else if (in_plot)
    clear_grid(placed, s);
  s.lettering.words.push_back(placed);
  s.scene.primitives.emplace_back(std::move(label));
}

}  // namespace orrery::figure
