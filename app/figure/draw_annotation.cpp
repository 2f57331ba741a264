// Annotations and inset texts: words that seek a place of their own.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <span>

#include "app/figure/free_place.h"
#include "app/figure/path.h"
#include "app/figure/stage.h"
#include "app/figure/text_block.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

// Distances in text sizes.
constexpr double leader_gap = 0.25;   // between words and the end of their leader
constexpr double box_padding = 0.45;  // inside the box of an inset
constexpr double most_of_plot = 0.6;
constexpr double stand_off = 2.5;    // points: the leader ends a little before what it points at
constexpr double head_length = 4.5;  // points
constexpr double least_leader = 3;   // points; shorter ones say nothing

bool inside(const Rect& box, const Rect& room) {
  return box.x >= room.x && box.y >= room.y && box.x + box.w <= room.x + room.w &&
         box.y + box.h <= room.y + room.h;
}

Rect centred(Point middle, double w, double h) {
  return {middle.x - w / 2, middle.y - h / 2, w, h};
}

/// Moved as little as possible to lie in the room.
Rect pushed_into(const Rect& box, const Rect& room) {
  return {std::clamp(box.x, room.x, std::max(room.x, room.x + room.w - box.w)),
          std::clamp(box.y, room.y, std::max(room.y, room.y + room.h - box.h)), box.w, box.h};
}

/// Where a line from outside towards the middle of a box meets its rim.
Point rim(const Rect& box, Point from) {
  const Point middle{box.x + box.w / 2, box.y + box.h / 2};
  const double dx = from.x - middle.x, dy = from.y - middle.y;
  const double t = std::min(dx == 0 ? 1 : box.w / 2 / std::abs(dx), dy == 0 ? 1 : box.h / 2 / std::abs(dy));
  return {middle.x + std::min(t, 1.0) * dx, middle.y + std::min(t, 1.0) * dy};
}

/// How often a leader from the words would step on what is drawn, but for its end, where it has to.
double crossings(const Rect& words, Point at, const Drawn& drawn) {
  const Point from = rim(grown(words, leader_gap * drawn.em), at);
  const double length = std::hypot(at.x - from.x, at.y - from.y), step = 2;
  double count = 0;
  for (double d = 0; d < length - 2 * drawn.em; d += step) {
    const Point p{std::lerp(from.x, at.x, d / length), std::lerp(from.y, at.y, d / length)};
    count += drawn.under(centred(p, step, step), 1e-9) > 0;
  }
  return count;
}

/// Words on words say nothing, neither these nor those, and beside each other they need a gap. Boxes are of lines, which are
/// higher than their ink, and no wider.
bool on_words(const Rect& box, const Stage& s) {
  constexpr double blank = 0.12;  // of a line's height, above its ink and below
  const double gap = 0.15 * s.theme.text_size;
  const auto ink = [=](const Rect& words) {
    const double off = blank * std::min(words.w, words.h);
    return Rect{words.x - gap, words.y + off, words.w + 2 * gap, words.h - 2 * off};
  };
  return std::ranges::any_of(s.words, [&](const Rect& words) { return overlap(ink(words), ink(box)); });
}

constexpr std::array near{2.2, 3.0, 4.0, 5.2, 6.6, 8.4};  // from the point, text sizes …
constexpr std::array far{10.4, 12.6, 15.0};               // … and where there is no place so near

/// The nearest place about a point where the words cover nothing; else the one where they cover least, but no other words.
std::optional<FoundPlace> nearest_free(Point at, double w, double h, std::span<const double> away,
                                       const Stage& s, const Drawn& drawn) {
  constexpr int directions = 16;
  Rect best = pushed_into(centred({at.x, at.y - h - 1.6 * drawn.em}, w, h), s.frame.plot);
  double least = std::numeric_limits<double>::infinity();
  for (const double distance : away)
    for (int k = 0; k < directions; ++k) {
      // From the upper right on, to both sides in turn.
      const double turn =
          std::numbers::pi * (0.25 + ((k % 2) ? 1 : -1) * double((k + 1) / 2) * 2 / directions);
      const double dx = std::cos(turn), dy = -std::sin(turn), out = distance * drawn.em;
      const Rect box = centred({at.x + dx * (out + w / 2), at.y + dy * (out + h / 2)}, w, h);
      if (!inside(box, s.frame.plot) || on_words(box, s)) continue;
      double cost = drawn.under(grown(box, leader_gap * drawn.em), least);
      if (cost < least) cost += crossings(box, at, drawn);
      if (cost >= least) continue;
      least = cost;
      best = box;
      if (least == 0) return FoundPlace{best, 0};
    }
  if (on_words(best, s)) return std::nullopt;
  return FoundPlace{best, least};
}

void draw_leader(const Annotation& note, const Rect& words, Point at, const Stage& s) {
  const Point from = rim(grown(words, leader_gap * s.theme.text_size), at);
  const double length = std::hypot(at.x - from.x, at.y - from.y), shown = length - stand_off;
  if (shown < least_leader) return;
  const auto along = [&](double d) {
    return Point{std::lerp(from.x, at.x, d / length), std::lerp(from.y, at.y, d / length)};
  };
  const bool at_end = note.heads == Heads::end || note.heads == Heads::both,
             at_start = note.heads == Heads::start || note.heads == Heads::both;
  const double head = std::min(head_length, shown * 0.45);
  const Color color = s.theme.color({Role::secondary, 0, 1});
  const Point tip = along(shown);
  s.scene.primitives.emplace_back(
      Polyline{{along(at_start ? 0.8 * head : 0), along(at_end ? shown - 0.8 * head : shown)},
               color,
               s.theme.axis_width,
               {},
               false});
  if (at_end) draw_head(tip, from, head, color, s.scene);
  if (at_start) draw_head(from, tip, head, color, s.scene);
}

}  // namespace

void veil(const Rect& words, const Stage& s) {
  Color ground = s.theme.background;
  ground.a = 217;
  s.scene.primitives.emplace_back(Polygon{corners(words), ground});
}

void draw(const Annotation& note, const Stage& s) {
  const Point at = place(s.frame, note.x, note.y);
  if (note.text.empty() || !defined(at) || !grown(s.frame.plot, 0.01).contains(at)) return;
  const TextBlock block(note.text, {Voice::words, s.theme.text_size * note.size, false}, s.metrics);
  const double w = block.width, h = block.height();
  if (w > s.frame.plot.w || h > s.frame.plot.h) return s.scene.left_out.push_back(note.text);
  const Drawn drawn{s.scene, s.first, s.theme.text_size, s.metrics};
  const bool placed = note.dx != 0 || note.dy != 0;
  std::optional<FoundPlace> found;
  if (placed)
    found = FoundPlace{pushed_into(centred({at.x + note.dx, at.y + note.dy}, w, h), s.frame.plot), 0};
  for (const std::span<const double> away : {std::span<const double>(near), std::span<const double>(far)})
    if (!found) found = nearest_free(at, w, h, away, s, drawn);
  if (!found) return s.scene.left_out.push_back(note.text);
  const Rect& box = found->box;
  draw_leader(note, box, at, s);
  if (!placed && drawn.under(box, 1e-9) > 0) veil(box, s);
  s.words.push_back(box);
  block.draw(box, HAlign::center, s.theme.color(note.ink), s.scene);
}

void draw(const Inset& inset, const Stage& s) {
  if (inset.text.empty() || inset.place == LegendPlace::none) return;
  const Voice voice = inset.numbers ? Voice::numbers : Voice::words;
  const TextBlock block(inset.text, {voice, s.theme.text_size * inset.size, false}, s.metrics);
  const double em = s.theme.text_size, pad = inset.frame ? box_padding * em : 0;
  // In a small panel it would be all there is to see.
  if (block.width > most_of_plot * s.frame.plot.w || block.height() > most_of_plot * s.frame.plot.h)
    return s.scene.left_out.push_back(inset.text);
  const auto found = find_place(block.width + 2 * pad, block.height() + 2 * pad, s.frame.plot, inset.place,
                                {s.scene, s.first, em, s.metrics});
  if (!found) return s.scene.left_out.push_back(inset.text);
  const bool covers = found->cost > 0;
  if (inset.frame)
    s.scene.primitives.emplace_back(Polygon{corners(found->box), s.theme.background});
  else if (covers)
    veil(found->box, s);
  if (inset.frame)
    s.scene.primitives.emplace_back(
        outline(found->box, s.theme.color({Role::outline, 0, 1}), s.theme.axis_width));
  s.words.push_back(found->box);
  block.draw(grown(found->box, -pad), HAlign::left, s.theme.color(inset.ink), s.scene);
}

}  // namespace orrery::figure
