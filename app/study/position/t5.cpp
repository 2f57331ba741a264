// T5's buckets: which distances share a learned bias, and where each bucket begins.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/position/bias_curves.h"
#include "app/study/studies.h"
#include "core/position/t5_bias.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using position::Direction;
using position::T5Buckets;
using tensor::Index;

constexpr std::string_view parts = "all|buckets|widths|matrix";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "buckets",
     .label = "Buckets",
     .kind = Kind::integer,
     .fallback = "32",
     .min = 4,
     .max = 512,
     .travel = Travel::powers_of_two,
     .multiple = 2,
     .help = "learned biases of a head; with keys on both sides half of them for each"},
    {.name = "max_distance",
     .label = "Greatest distance",
     .kind = Kind::integer,
     .fallback = "128",
     .min = 3,
     .max = 65536,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help =
         "D: from here on all keys share the last bucket; counted as more than half the buckets of a side"},
    {.name = "direction",
     .label = "Direction",
     .kind = Kind::choice,
     .fallback = "causal",
     .choices = "causal|bidirectional",
     .help = "the decoder's rule, or the encoder's with buckets of their own for keys after the query"},
    {.name = "tokens",
     .label = "Matrix",
     .kind = Kind::integer,
     .fallback = "160",
     .min = 2,
     .max = 512,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "queries and keys of the matrix of buckets"},
    show_parameter(parts),
});

Index of_one_side(const T5Buckets& buckets) {
  return buckets.direction == Direction::causal ? buckets.num_buckets : buckets.num_buckets / 2;
}

/// A greatest distance that leaves no room for wide buckets becomes the least that does.
T5Buckets buckets_of(const Settings& settings) {
  T5Buckets buckets{
      .num_buckets = settings.integer("buckets"),
      .max_distance = settings.integer("max_distance"),
      .direction = settings.choice("direction") == "causal" ? Direction::causal : Direction::bidirectional};
  buckets.max_distance = std::max(buckets.max_distance, of_one_side(buckets) / 2 + 1);
  return buckets;
}

/// Of keys before the query: every bucket that has any distance, and its least one.
struct Starts {
  std::vector<double> bucket, first;
};

/// Buckets never decrease with distance, so each start is found by halving.
Starts starts_of(const T5Buckets& buckets) {
  Starts starts;
  Index distance = 0;
  const Index last = position::t5_bucket(-(buckets.max_distance + 1), buckets);
  while (true) {
    const Index here = position::t5_bucket(-distance, buckets);
    starts.bucket.push_back(static_cast<double>(here));
    starts.first.push_back(static_cast<double>(distance));
    if (here >= last) return starts;
    Index low = distance, high = buckets.max_distance + 1;  // low is in this bucket, high is not
    while (high - low > 1) {
      const Index middle = low + (high - low) / 2;
      (position::t5_bucket(-middle, buckets) == here ? low : high) = middle;
    }
    distance = high;
  }
}

/// As Hugging Face and the authors compute it: every step in float, from left to right.
Index float_bucket(Index distance, const T5Buckets& buckets) {
  const Index side = buckets.direction == Direction::causal ? buckets.num_buckets : buckets.num_buckets / 2;
  const Index exact = side / 2;
  if (distance < exact) return distance;
  const auto half = static_cast<float>(exact);
  const float above = std::log(static_cast<float>(distance) / half);
  const auto whole = static_cast<float>(
      std::log(static_cast<double>(buckets.max_distance) / static_cast<double>(exact)));  // Python's own log
  const float share = above / whole * static_cast<float>(side - exact);
  return std::min(exact + static_cast<Index>(share), side - 1);
}

/// The last bucket has no end: its distances are counted up to 2 D.
figure::Table bucket_table(const T5Buckets& buckets, const Starts& starts) {
  figure::Table table{"buckets",
                      {{.name = "bucket", .values = starts.bucket},
                       {.name = "first distance", .unit = "tokens", .values = starts.first},
                       {.name = "distances up to 2 D"}}};
  const double end = 2 * static_cast<double>(buckets.max_distance) + 1;
  for (std::size_t i = 0; i < starts.first.size(); ++i) {
    const double next = i + 1 < starts.first.size() ? starts.first[i + 1] : end;
    table.columns[2].values.push_back(next - starts.first[i]);
  }
  return table;
}

/// Both sides of the query, when the rule knows them apart.
figure::Panel bucket_panel(const T5Buckets& buckets, const Starts& starts) {
  const bool two_sided = buckets.direction == Direction::bidirectional;
  const double end = 1.5 * static_cast<double>(buckets.max_distance);
  figure::Panel panel;
  panel.title = "Bucket by distance";
  panel.x = {.label = two_sided ? "key before ($+$) or after ($-$) the query, $m - n$" : "distance $m - n$",
             .range = figure::Range{two_sided ? -end : 0, end},
             .ticks = figure::TickHint::integers};
  panel.y = {.label = "bucket", .ticks = figure::TickHint::integers, .grid = true};
  panel.legend = figure::LegendPlace::none;
  const double future = static_cast<double>(buckets.num_buckets / 2);
  figure::Line before = curve(starts.first, starts.bucket, 0, "");
  before.x.push_back(end);
  before.y.push_back(starts.bucket.back());
  before.course = figure::Course::step_after;
  panel.marks.push_back(before);
  if (two_sided) {
    figure::Line after = before;
    after.ink = figure::series(1);
    for (double& x : after.x) x = -x;
    for (double& y : after.y) y += future;
    // A key after the query is at least one token away: the upper half's first bucket stays empty.
    after.x.erase(after.x.begin());
    after.y.erase(after.y.begin());
    panel.marks.push_back(std::move(after));
  }
  for (const double sign : two_sided ? std::vector{1.0, -1.0} : std::vector{1.0}) {
    figure::Rule edge{.at = sign * static_cast<double>(buckets.max_distance),
                      .text = sign > 0 ? "$D$" : "$-D$"};
    panel.marks.push_back(edge);
  }
  return panel;
}

/// How many distances share each bucket; the last has all the rest and no column.
figure::Panel width_panel(const figure::Table& table) {
  figure::Panel panel;
  panel.title = "Distances in a bucket";
  panel.x = {.label = "bucket", .ticks = figure::TickHint::integers};
  panel.y = {.label = "distances", .ticks = figure::TickHint::integers, .grid = true};
  panel.legend = figure::LegendPlace::none;
  figure::Bars bars{
      .x = table.columns[0].values, .height = table.columns[2].values, .ink = figure::series(0)};
  const double last = bars.x.back();
  bars.x.pop_back();
  bars.height.pop_back();
  const double tallest = bars.height.empty() ? 1 : *std::ranges::max_element(bars.height);
  panel.x.range = figure::Range{-0.6, last + 1.4};
  panel.y.range = figure::Range{0, 1.1 * tallest};
  panel.marks.push_back(std::move(bars));
  figure::Note rest{.x = last, .y = 0, .text = "∞", .ink = {figure::Role::secondary, 0, 1}};
  rest.v = figure::VAlign::bottom;
  rest.dx = 3;
  rest.dy = -2;
  panel.marks.push_back(rest);
  return panel;
}

figure::Panel matrix_panel(const T5Buckets& buckets, Index tokens) {
  figure::Grid grid{static_cast<int>(tokens), static_cast<int>(tokens), {}};
  for (Index m = 0; m < tokens; ++m)
    for (Index n = 0; n < tokens; ++n)
      grid.values.push_back(n > m && buckets.direction == Direction::causal
                                ? -std::numeric_limits<float>::infinity()
                                : static_cast<float>(position::t5_bucket(n - m, buckets)));
  const double edge = static_cast<double>(tokens) - 0.5;
  figure::Panel panel;
  panel.title = "Bucket of each query and key";
  panel.x = {.label = "key $n$", .ticks = figure::TickHint::integers};
  panel.y = {.label = "query $m$", .ticks = figure::TickHint::integers, .reversed = true};
  panel.equal_aspect = true;
  panel.frame = true;
  figure::Heatmap map;
  map.x = map.y = {-0.5, edge};
  panel.x.range = panel.y.range = map.x;
  map.grid = std::make_shared<figure::Grid>(std::move(grid));
  map.colors.label = "bucket";
  panel.marks.push_back(std::move(map));
  return panel;
}

/// What the authors' code gives for 32 buckets and D = 128, decoder: where buckets 16 … 31 begin.
constexpr std::array published_starts{16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113};

std::vector<Check> checks_of(const T5Buckets& buckets, const Starts& starts, const Run& run) {
  const Starts usual = starts_of({});
  double published = usual.first.size() == 32 ? 0 : 1;
  for (std::size_t i = 0; i < published_starts.size() && published == 0; ++i)
    published = std::max(published, std::abs(usual.first[16 + i] - published_starts[i]));
  double float_apart = 0, falls = 0;
  const Index far = std::max<Index>(4096, 2 * buckets.max_distance);
  Index before = 0;
  for (Index distance = 0; distance <= far; ++distance) {
    if (distance % 4096 == 0) run.check();
    const Index here = position::t5_bucket(-distance, buckets);
    falls = std::max(falls, static_cast<double>(before - here));
    before = here;
    float_apart += distance <= 4096 && position::t5_bucket(-distance, {}) != float_bucket(distance, {});
  }
  const double last = static_cast<double>(position::t5_bucket(-far, buckets));
  const Index side = of_one_side(buckets);

  twin::Matrix table(buckets.num_buckets, 2);
  for (Index k = 0; k < table.rows(); ++k) {
    table(k, 0) = -std::log1p(static_cast<double>(k));
    table(k, 1) = std::cos(static_cast<double>(k));
  }
  return {
      {"32 buckets, $D = 128$: the authors' starts 16, 19, 21 … 99, 113", published, 0},
      {"computed in float, as the authors do, none of 4097 distances changes its bucket", float_apart, 0},
      {"a farther key is never in a nearer bucket", falls, 0},
      {"far keys are in the last bucket of the side", std::abs(last - static_cast<double>(side - 1)), 0},
      {"the last bucket begins no later than $D$", starts.first.back(),
       static_cast<double>(buckets.max_distance)},
      spread_check(run, position::t5_bias_values<double>(table, buckets, 33)),
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const T5Buckets buckets = buckets_of(settings);
  const Starts starts = starts_of(buckets);
  figure::Table table = bucket_table(buckets, starts);
  figure::Panel bucket = bucket_panel(buckets, starts), width = width_panel(table),
                matrix = matrix_panel(buckets, settings.integer("tokens"));
  bucket.cell = {0, 0, 1, 2};
  width.cell = {1, 0};
  matrix.cell = {1, 1};
  StudyResult result;
  result.figure.title = "Near keys one by one, far keys in ever wider buckets";
  result.figure.description =
      "A staircase of buckets by distance: one step a token for the near half, then wider and wider ones, "
      "and a last "
      "one without end. Below, how many distances share each bucket, and the matrix of buckets of queries "
      "and keys: "
      "stripes along the diagonal that widen away from it.";
  result.figure.panels = {std::move(bucket), std::move(width), std::move(matrix)};
  result.figure.row_weights = {1, 1.2};
  result.figure.col_weights = {1, 1};
  result.figure.aspect = 1.3;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {std::move(table)};
  result.checks = checks_of(buckets, starts, run);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"The encoder: half of the buckets for each side.", "direction=bidirectional"},
    {"Few buckets, widening early.", "buckets=8 max_distance=64"},
    {"A greatest distance of 2048: wider, and none of them empty.", "max_distance=2048"},
    {"Many buckets for a short reach: some are never used.", "buckets=128 max_distance=80"},
});

}  // namespace

const Study position_t5{
    .id = "position/t5",
    .title = "T5's buckets",
    .topic = "Absolute and additive",
    .summary = "near keys one by one, far keys in ever wider buckets",
    .formula =
        R"(\mathrm{bucket}(r) = r \;\; (r < N/2), \quad \min\left(N-1,\; \frac{N}{2} + \left\lfloor \frac{N}{2} \frac{\ln (2r/N)}{\ln (2D/N)} \right\rfloor\right))",
    .about =
        "A head learns one bias for each bucket, and all layers share the table. Half of the buckets hold "
        "one distance "
        "each; the others grow by a constant factor up to D, and everything beyond is in the last one, which "
        "for 32 "
        "buckets and D = 128 begins at 113 already. A key that is far is only known to be far.",
    .source = "Raffel et al. 2020, arXiv 1910.10683, section 2.1, and its code",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
