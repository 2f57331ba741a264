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
constexpr double annotation_gap = 0.3;  // between words side by side
constexpr double leader_gap = 0.25;     // between words and the end of their leader
constexpr double box_padding = 0.45;    // inside the box of an inset
constexpr double most_of_plot = 0.6;
constexpr double stand_off = 2.5;    // points: the leader ends a little before what it points at
constexpr double head_length = 4.5;  // points
constexpr double least_leader = 3;   // points; shorter ones say nothing
/// What words cost that lie on a leader or on what has a name, or whose leader lies on words or crosses another: more than a
/// cloud's points under them, as words look struck out and leaders are followed to the wrong point.
constexpr double tangle = 100;

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

Path leader_of(const Rect& words, Point at, double em) {
  return {rim(grown(words, leader_gap * em), at), at};
}

/// How many words, leaders and named points stand in the way of words and their leader.
double tangles(const Rect& box, Point at, const Stage& s) {
  const Lettering& there = s.lettering;
  const Path own = leader_of(box, at, s.theme.text_size);
  const auto on = [](const Path& leader, const Rect& words) { return !clip_path(leader, words).empty(); };
  return double(std::ranges::count_if(there.words, [&](const Rect& words) { return on(own, words); }) +
                std::ranges::count_if(
                    there.leaders, [&](const Path& other) { return on(other, box) || cross(own, other); }) +
                std::ranges::count_if(there.named, [&](Point named) { return box.contains(named); }));
}

/// Where about a point words are tried.
struct Ring {
  std::span<const double> away;  ///< text sizes
  bool pushed;                   ///< into the plot, where they would reach out of it
  double instead_of;             ///< what costs more than this
};
constexpr std::array near{2.2, 3.0, 4.0, 5.2, 6.6, 8.4};
constexpr std::array far{10.4, 12.6, 15.0};
constexpr std::array rings{Ring{near, false, 0}, Ring{near, true, 0}, Ring{far, false, tangle}};

/// The nearest place on a ring where the words cover nothing; else the one where they cover least, but no other words.
std::optional<FoundPlace> nearest_free(Point at, double w, double h, const Ring& ring, const Stage& s,
                                       const Drawn& drawn) {
  constexpr int directions = 16;
  Rect best = pushed_into(centred({at.x, at.y - h - 1.6 * drawn.em}, w, h), s.frame.plot);
  double least = std::numeric_limits<double>::infinity();
  for (const double distance : ring.away)
    for (int k = 0; k < directions; ++k) {
      // From the upper right on, to both sides in turn.
      const double turn =
          std::numbers::pi * (0.25 + ((k % 2) ? 1 : -1) * double((k + 1) / 2) * 2 / directions);
      const double dx = std::cos(turn), dy = -std::sin(turn), out = distance * drawn.em;
      Rect box = centred({at.x + dx * (out + w / 2), at.y + dy * (out + h / 2)}, w, h);
      if (ring.pushed) box = pushed_into(box, grown(s.frame.plot, -leader_gap * drawn.em));
      if (!inside(box, s.frame.plot) || s.on_words(box, annotation_gap)) continue;
      double cost = drawn.under(grown(box, leader_gap * drawn.em), least);
      if (cost < least) cost += tangle * tangles(box, at, s);
      if (cost < least) cost += crossings(box, at, drawn);
      if (cost >= least) continue;
      least = cost;
      best = box;
      if (least == 0) return FoundPlace{best, 0};
    }
  if (s.on_words(best, annotation_gap)) return std::nullopt;
  return FoundPlace{best, least};
}

/// The place of all rings where the words are least in the way.
std::optional<FoundPlace> place_for(Point at, double w, double h, const Stage& s, const Drawn& drawn) {
  std::optional<FoundPlace> best;
  for (const Ring& ring : rings) {
    if (best && best->cost <= ring.instead_of) continue;
    const auto found = nearest_free(at, w, h, ring, s, drawn);
    if (found && (!best || found->cost < best->cost)) best = found;
  }
  return best;
}

void draw_leader(const Annotation& note, const Rect& words, Point at, const Stage& s) {
  const Path path = leader_of(words, at, s.theme.text_size);
  const Point from = path.front();
  const double length = path_length(path), shown = length - stand_off;
  if (shown < least_leader) return;
  s.lettering.leaders.push_back(path);
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
  const std::optional<FoundPlace> found =
      placed ? FoundPlace{pushed_into(centred({at.x + note.dx, at.y + note.dy}, w, h), s.frame.plot), 0}
             : place_for(at, w, h, s, drawn);
  if (!found) return s.scene.left_out.push_back(note.text);
  const Rect& box = found->box;
  s.scene.tangles += found->cost >= tangle;
  draw_leader(note, box, at, s);
  if (!placed && drawn.under(box, 1e-9) > 0) veil(box, s);
  s.lettering.words.push_back(box);
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
  s.lettering.words.push_back(found->box);
  block.draw(grown(found->box, -pad), HAlign::left, s.theme.color(inset.ink), s.scene);
}

}  // namespace orrery::figure
