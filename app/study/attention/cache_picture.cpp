#include "app/study/attention/cache_picture.h"

namespace orrery::study::attention_cache {

namespace {

constexpr double not_held = -std::numeric_limits<double>::infinity();  // drawn as masked
constexpr int pass_axis = 1, looks_group = 2;  // axes and series that several panels share

/// Of every key that is held in every pass.
Matrix each_held(const CacheLife& life, auto&& value) {
  Matrix all = Matrix::Constant(std::ssize(life.passes), life.whole.scores.cols(), not_held);
  for (std::size_t p = 0; p < life.passes.size(); ++p)
    for (const CachedKey& key : life.passes[p].keys)
      all(static_cast<Index>(p), key.token) = value(life.passes[p], key);
  return all;
}

double distance_right(const CachePass& pass, const CachedKey& key) {
  return pass.last().right.position - key.right.position;
}
double distance_seen(const CachePass& pass, const CachedKey& key) {
  return pass.last().cached.position - key.cached.position;
}

Matrix shades_of(Asked& asked, const CacheLife& life) {
  return each_held(
      life, [&](const CachePass&, const CachedKey& key) { return asked.turning.shade(key.cached.length); });
}

Matrix distances_off(const CacheLife& life) {
  return each_held(life, [](const CachePass& pass, const CachedKey& key) {
    return distance_seen(pass, key) - distance_right(pass, key);
  });
}

}  // namespace

Series passes_of(Asked& asked, const CacheLife& life) {
  Series passes("passes", {"pass", "", numbered(std::ssize(life.passes))});
  const auto each = [&](auto&& value) {
    return [&life, value](double pass) -> double {
      const auto p = static_cast<std::size_t>(pass) - 1;
      return value(life.passes[p], static_cast<Index>(p));
    };
  };
  passes.add("first token", each([](const CachePass& p, Index) { return number(p.first); }))
      .add("tokens read", each([](const CachePass& p, Index) { return number(p.fed); }))
      .add("keys held before",
           each([](const CachePass& p, Index) { return number(std::ssize(p.keys)) - number(p.fed); }))
      .add("keys held", each([](const CachePass& p, Index) { return number(std::ssize(p.keys)); }))
      .add("keys that left", each([](const CachePass& p, Index) { return number(std::ssize(p.evicted)); }))
      .add("length", each([](const CachePass& p, Index) { return p.length(); }))
      .add(std::string(asked.turning.shade_name()),
           each([&](const CachePass& p, Index) { return asked.turning.shade(p.last().cached.length); }))
      .add("base",
           each([&](const CachePass& p, Index) { return asked.turning.at(p.last().cached.length).base; }))
      .add("last position", each([](const CachePass& p, Index) { return p.last().right.position; }))
      .add("last position as taken", each([](const CachePass& p, Index) { return p.last().cached.position; }))
      .add("weight elsewhere",
           each([&](const CachePass&, Index p) { return elsewhere(life.cached, life.recomputed, p); }))
      .add("largest score difference",
           each([&](const CachePass&, Index p) { return score_difference(life.cached, life.recomputed, p); }))
      .add("weight elsewhere, whole text",
           each([&](const CachePass&, Index p) { return elsewhere(life.cached, life.whole, p); }));
  return passes;
}

Series tokens_of(Asked& asked, const CacheLife& life) {
  const auto count = static_cast<std::size_t>(asked.plan.tokens());
  const Index last = std::ssize(life.passes) - 1;
  std::vector<double> read(count, 0), left = read, right = read, cached = read, length = read, shade = read;
  for (std::size_t p = 0; p < life.passes.size(); ++p) {
    const CachePass& pass = life.passes[p];
    for (const CachedKey& key : pass.keys) {
      const auto n = static_cast<std::size_t>(key.token);
      if (read[n] == 0) read[n] = number(p) + 1;
      right[n] = key.right.position;
      cached[n] = key.cached.position;
      length[n] = key.cached.length;
      shade[n] = asked.turning.shade(key.cached.length);
    }
    for (const Index token : pass.evicted) left[static_cast<std::size_t>(token)] = number(p) + 1;
  }
  Series all("tokens", {"token", "", counted(asked.plan.tokens())});
  all.add("read in pass", read)
      .add("gone from pass", left)  // 0: it is still there
      .add("position", right)
      .add("position as cached", cached)
      .add("length as cached", length)
      .add(std::string(asked.turning.shade_name()), shade);
  const auto weights = [&](const Looks& looks) { return row_of(looks.weights, last); };
  return std::move(all.add("weight, recomputed", weights(life.recomputed))
                       .add("weight as cached", weights(life.cached))
                       .add("weight, whole text", weights(life.whole)));
}

Series last_keys_of(const CacheLife& life) {
  const CachePass& pass = life.last();
  const Index row = std::ssize(life.passes) - 1;
  const auto each = [&](auto&& value) {
    std::vector<double> all;
    for (const CachedKey& key : pass.keys) all.push_back(value(key));
    return all;
  };
  Series keys("last_query", {"token", "", each([](const CachedKey& key) { return number(key.token); })});
  keys.add("distance", each([&](const CachedKey& key) { return distance_right(pass, key); }))
      .add("distance as cached", each([&](const CachedKey& key) { return distance_seen(pass, key); }))
      .add("score, recomputed",
           each([&](const CachedKey& key) { return life.recomputed.scores(row, key.token); }))
      .add("score as cached", each([&](const CachedKey& key) { return life.cached.scores(row, key.token); }));
  return keys;
}

Table held_table(Asked& asked, const CacheLife& life) {
  Table table{"held",
              {{.name = "pass"},
               {.name = "token"},
               {.name = "position"},
               {.name = "position as cached"},
               {.name = "length as cached"},
               {.name = std::string(asked.turning.shade_name())},
               {.name = "distance, too long by"}}};
  for (std::size_t p = 0; p < life.passes.size(); ++p)
    for (const CachedKey& key : life.passes[p].keys)
      add_row(table, p + 1, key.token, key.right.position, key.cached.position, key.cached.length,
              asked.turning.shade(key.cached.length),
              distance_seen(life.passes[p], key) - distance_right(life.passes[p], key));
  return table;
}

namespace {

/// Of what is shown, from 1 at least to 2 at least: a map of one value has its colour from neighbours it might have.
Range shade_range(const Matrix& shown) {
  Range range{1, 2};
  for (const double x : shown.reshaped())
    if (x != not_held) range = {std::min(range.lo, x), std::max(range.hi, x)};
  return range;
}

}  // namespace

Panel timeline_panel(Asked& asked, const CacheLife& life, bool distances) {
  const Matrix shown = distances ? distances_off(life) : shades_of(asked, life);
  const Index pads = asked.plan.pads, tokens = asked.plan.tokens(), passes = shown.rows();
  ColorScale colors{.label = distances ? "too long by" : asked.turning.short_shade_name()};
  if (distances) colors.map = ColorMap::diverging;
  if (!distances && asked.turning.change != "xpos") colors.range = shade_range(shown);
  Heatmap map = heatmap(shown, colors);
  map.y = {0.5, number(passes) + 0.5};
  Panel panel = map_panel("Keys in the cache, pass by pass", std::move(map),
                          pads > 0 ? "token, padding before 0" : "token", "pass");
  panel.x.range = Range{-number(pads) - 0.5, number(tokens) - 0.5};
  panel.y.group = pass_axis;
  panel.legend = LegendPlace::above;
  Points read{.ink = ink(Role::accent), .radius = 1.2, .label = "read in this pass", .within = 0.35};
  Points left{
      .ink = ink(Role::secondary), .radius = 1.6, .symbol = Symbol::cross, .label = "its key has left"};
  for (Index p = 0; p < passes; ++p) {
    const CachePass& pass = life.passes[static_cast<std::size_t>(p)];
    for (Index j = 0; j < pass.fed; ++j) {
      read.x.push_back(number(pass.first + j));
      read.y.push_back(number(p) + 1);
    }
    for (const Index token : pass.evicted) {
      left.x.push_back(number(token));
      left.y.push_back(number(p) + 1);
    }
  }
  panel.marks.emplace_back(std::move(read));
  if (!left.x.empty()) panel.marks.emplace_back(std::move(left));
  return panel;
}

namespace {

Axis pass_axis_of(const Series& passes) {
  Axis axis = counts("pass", Range{0.5, number(passes.size()) + 0.5});
  axis.reversed = true;
  axis.group = pass_axis;
  return axis;
}

/// A column to the right, its passes downwards.
Line downwards(const Series& passes, std::string_view column, Line look) {
  look.x = passes[column];
  look.y = passes.x();
  look.reading.value = look.x;
  return look;
}

}  // namespace

Panel errors_panel(const CacheLife& life, const Series& passes) {
  double most = largest(passes["weight elsewhere"]);
  const double score = largest(passes["largest score difference"]);
  Panel panel{.title = "What differs, pass by pass", .y = pass_axis_of(passes), .legend = LegendPlace::best};
  panel.marks.emplace_back(downwards(passes, "weight elsewhere", {.ink = series(1), .label = "same keys"}));
  if (life.whole_differs) {
    most = std::max(most, largest(passes["weight elsewhere, whole text"]));
    panel.marks.emplace_back(downwards(passes, "weight elsewhere, whole text",
                                       {.ink = series(2), .dash = Dash::dashed, .label = "whole text"}));
  }
  panel.top = figure::SecondAxis{
      .axis = {.label = "largest score difference", .range = Range{0, std::max(1.05 * score, 0.01)}},
      .marks = {static_cast<int>(panel.marks.size())}};
  panel.marks.emplace_back(downwards(passes, "largest score difference",
                                     {.ink = series(3), .dash = Dash::dotted, .label = "score"}));
  panel.x = values("weight elsewhere", Range{0, std::max(1.05 * most, 0.01)});
  return panel;
}

Panel last_panel(const CacheLife& life, const Series& tokens) {
  Panel panel{.title = "Where the last query looks",
              .x = counts("token"),
              .y = values("weight"),
              .legend = LegendPlace::best,
              .series_group = looks_group};
  if (life.whole_differs)
    panel.marks.emplace_back(tokens.line(
        "weight, whole text",
        {.ink = series(2), .dash = Dash::dotted, .label = "of the whole text", .dash_by_series = false}));
  panel.marks.emplace_back(tokens.line("weight, recomputed", {.ink = series(0), .label = "recomputed"}));
  panel.marks.emplace_back(tokens.line("weight as cached", {.ink = series(1), .label = "as cached"}));
  return panel;
}

Panel distance_panel(const Series& keys) {
  return {
      .title = "How far its keys seem to be",
      .x = counts("token"),
      .y = values("distance"),
      .marks = {keys.points("distance",
                            {.ink = series(0), .radius = 2.4, .symbol = Symbol::ring, .label = "recomputed"}),
                keys.points(
                    "distance as cached",
                    {.ink = series(1), .radius = 1.2, .symbol = Symbol::square, .label = "as cached"})},
      .legend = LegendPlace::best,
      .series_group = looks_group};
}

}  // namespace orrery::study::attention_cache
