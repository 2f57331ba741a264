// T5's buckets: which distances share a learned bias, and where each bucket begins.
#include "core/position/t5_bias.h"

#include "app/study/kit.h"
#include "app/study/position/bias_curves.h"

namespace orrery::study::position_t5 {
namespace {

using position::Direction;
using position::T5Buckets;

constexpr auto parameters = std::to_array<Parameter>({
    whole("buckets", "Buckets", "32", {4, 512},
          "learned biases of a head; with keys on both sides half of them for each",
          {.travel = Travel::powers_of_two, .multiple = 2}),
    whole("max_distance", "Greatest distance", "128", {3, 65536},
          "D: from here on all keys share the last bucket; counted as more than half the buckets of a side",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    choice("direction", "Direction", "causal|bidirectional",
           "the decoder's rule, or the encoder's with buckets of their own for keys after the query"),
    whole("tokens", "Matrix", "160", {2, 512}, "queries and keys of the matrix of buckets",
          {.travel = Travel::log, .unit = "tokens"}),
    show_parameter("all|buckets|widths|matrix"),
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

/// Of keys before the query: every bucket that has any distance, its least one, and how many they are; the last bucket has
/// no end, and its distances are counted up to 2 D. Buckets never decrease with distance: each start is found by halving.
Series buckets_series(const T5Buckets& buckets) {
  std::vector<double> bucket, first, count;
  const Index last = position::t5_bucket(-(buckets.max_distance + 1), buckets);
  for (Index distance = 0;;) {
    const Index here = position::t5_bucket(-distance, buckets);
    bucket.push_back(number(here));
    first.push_back(number(distance));
    if (here >= last) break;
    Index low = distance, high = buckets.max_distance + 1;  // low is in this bucket, high is not
    while (high - low > 1) {
      const Index middle = low + (high - low) / 2;
      (position::t5_bucket(-middle, buckets) == here ? low : high) = middle;
    }
    distance = high;
  }
  for (std::size_t i = 0; i < first.size(); ++i)
    count.push_back((i + 1 < first.size() ? first[i + 1] : 2 * number(buckets.max_distance) + 1) - first[i]);
  Series series("buckets", {"bucket", "", bucket});
  series.add({"first distance", "tokens", first}).add("distances up to 2 D", count);
  return series;
}

/// As Hugging Face and the authors compute it: every step in float, from left to right.
Index float_bucket(Index distance, const T5Buckets& buckets) {
  const Index side = of_one_side(buckets), exact = side / 2;
  if (distance < exact) return distance;
  const auto half = static_cast<float>(exact);
  const float above = std::log(static_cast<float>(distance) / half);
  const auto whole =
      static_cast<float>(std::log(number(buckets.max_distance) / number(exact)));  // Python's own log
  const float share = above / whole * static_cast<float>(side - exact);
  return std::min(exact + static_cast<Index>(share), side - 1);
}

/// Both sides of the query, when the rule knows them apart.
Panel bucket_panel(const T5Buckets& buckets, const Series& starts, Index asked) {
  const bool two_sided = buckets.direction == Direction::bidirectional;
  // Within one side the later buckets are as wide as they are far: on a log axis an even staircase.
  const double far = number(buckets.max_distance), end = (two_sided ? 1.5 : 4) * far;
  Panel panel{
      .title = "Bucket by distance",
      .x = counts(two_sided ? "key before ($+$) or after ($-$) the query, $m - n$" : "distance $m - n$",
                  Range{two_sided ? -end : 0, end}),
      .y = counts("bucket"),
      .legend = LegendPlace::none};
  if (buckets.max_distance != asked)
    panel.title += "; $D$ raised from " + grouped(number(asked)) + " to " + grouped(far);
  if (!two_sided) panel.x = octaves(panel.x.label, Range{1, end});
  panel.y.grid = true;
  Line before{.x = starts["first distance"], .y = starts["bucket"], .course = Course::step_after};
  before.reading.name = "bucket";
  before.x.push_back(end);
  before.y.push_back(before.y.back());
  panel.marks.push_back(before);
  panel.marks.push_back(Rule{.at = far, .text = "$D$ = " + grouped(far)});
  if (!two_sided) return panel;
  Line after = before;
  after.ink = series(1);
  after.reading.name = "bucket, after the query";
  for (double& x : after.x) x = -x;
  for (double& y : after.y) y += number(buckets.num_buckets / 2);
  // A key after the query is at least one token away: the upper half's first bucket stays empty.
  after.x.erase(after.x.begin());
  after.y.erase(after.y.begin());
  panel.marks.insert(panel.marks.begin() + 1, std::move(after));
  panel.marks.push_back(Rule{.at = -far, .text = "$-D$"});
  return panel;
}

/// How many distances share each bucket; the last has all the rest and no column.
Panel width_panel(const Series& all) {
  const Series some = all.first(all.size() - 1);
  const double last = all["bucket"].back();
  const std::vector<double>& widths = some["distances up to 2 D"];
  const double beside =
      widths.empty() ? 0 : widths.back();  // the sign is wider than a narrow column: above its neighbour
  Panel panel{.title = "Distances in a bucket",
              .x = counts("bucket", Range{-0.6, last + 0.6}),
              .y = counts("number of distances", Range{0, 1.25 * (widths.empty() ? 1 : largest(widths))}),
              .marks = {some.bars("distances up to 2 D"), Note{.x = last,
                                                               .y = beside,
                                                               .text = "∞",
                                                               .ink = ink(Role::accent),
                                                               .v = VAlign::bottom,
                                                               .dy = -2}},
              .legend = LegendPlace::none};
  panel.y.grid = true;
  return panel;
}

Panel matrix_panel(const T5Buckets& buckets, Index tokens) {
  Matrix matrix(tokens, tokens);
  for (Index m = 0; m < tokens; ++m)
    for (Index n = 0; n < tokens; ++n)
      matrix(m, n) = n > m && buckets.direction == Direction::causal
                         ? -std::numeric_limits<double>::infinity()
                         : number(position::t5_bucket(n - m, buckets));
  Panel panel = square_map_panel("Bucket of each query and key", heatmap(matrix, {.label = "bucket"}),
                                 "key $n$", "query $m$");
  // Keys that are D tokens away: from there on all share the last bucket.
  const double far = number(buckets.max_distance), last = number(tokens) - 0.5;
  if (far < last) {
    panel.marks.push_back(Line{.x = {-0.5, last - far},
                               .y = {far - 0.5, last},
                               .ink = ink(Role::accent),
                               .dash = Dash::dashed,
                               .reading = {.none = true}});
    if (buckets.direction == Direction::bidirectional) {
      Line after = std::get<Line>(panel.marks.back());
      std::swap(after.x, after.y);
      panel.marks.push_back(std::move(after));
    }
  }
  return panel;
}

/// What the authors' code gives for 32 buckets and D = 128, decoder: where buckets 16 … 31 begin.
constexpr std::array published_starts{16., 19., 21., 24., 27., 31., 35., 40.,
                                      46., 52., 59., 67., 77., 87., 99., 113.};

std::vector<Check> checks_of(const T5Buckets& buckets, const Series& starts, const Run& run) {
  const std::vector<double> usual = buckets_series({})["first distance"];
  const double published =
      usual.size() == 32 ? largest_difference(std::span(usual).last(16), published_starts) : 1;
  double float_apart = 0, falls = 0;
  const Index far = std::max<Index>(4096, 2 * buckets.max_distance);
  Index before = 0;
  for (Index distance = 0; distance <= far; ++distance) {
    if (distance % 4096 == 0) run.check();
    const Index here = position::t5_bucket(-distance, buckets);
    falls = std::max(falls, number(before - here));
    before = here;
    float_apart += distance <= 4096 && position::t5_bucket(-distance, {}) != float_bucket(distance, {});
  }
  Matrix table(buckets.num_buckets, 2);
  for (Index k = 0; k < table.rows(); ++k) table.row(k) << -std::log1p(number(k)), std::cos(number(k));
  constexpr Index length = 33;
  Matrix reference(2 * length, length);
  position::t5_bias_ref(table, buckets, reference);
  return {
      known_answer("32 buckets, $D = 128$: the authors' starts 16, 19, 21 … 99, 113", published, 0),
      known_answer("computed in float, as the authors do, none of 4097 distances changes its bucket",
                   float_apart, 0),
      {"a farther key is never in a nearer bucket", falls, 0},
      {"far keys are in the last bucket of the side", std::abs(number(before - (of_one_side(buckets) - 1))),
       0},
      {"the last bucket begins no later than $D$", starts["first distance"].back(),
       number(buckets.max_distance)},
      spread_check(run, position::t5_bias_values<double>(table, buckets, length), reference),
  };
}

/// How far every key has its bucket, where the last one begins, and the widest of those between.
std::string shares_text(const Series& starts) {
  const std::vector<double>&first = starts["first distance"], &widths = starts["distances up to 2 D"];
  std::size_t alone = 0;
  while (alone + 1 < starts.size() && widths[alone] == 1) ++alone;
  std::string text = alone == 1 ? "The nearest key has a bucket of its own"
                                : "The nearest " + grouped(number(alone)) + " keys have a bucket each";
  if (alone + 1 < starts.size())
    text += ", then up to " + grouped(*std::max_element(widths.begin(), widths.end() - 1)) + " share one";
  return text + "; from distance " + grouped(first.back()) + " on all share the last";
}

/// Of a key half the greatest distance away.
std::string worked_of(const T5Buckets& buckets) {
  const Index side = of_one_side(buckets), exact = side / 2,
              distance = std::max(buckets.max_distance / 2, exact);
  const Term near = exact, far = number(buckets.max_distance), r = number(distance);
  const Term wide = floor(worked::frac(ln(r / near), ln(far / near)) * number(side - exact));
  Worked worked;
  return worked
      .add("\\mathrm{bucket}(" + std::to_string(distance) + ")", min(number(side - 1), near + wide),
           number(position::t5_bucket(-distance, buckets)))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const T5Buckets buckets = buckets_of(settings);
  const Series starts = buckets_series(buckets);
  Picture picture(
      shares_text(starts),
      "A staircase of buckets by distance, with a last one without end. Below, how many distances share each "
      "bucket, and the matrix of buckets of queries and keys, in stripes along the diagonal.");
  picture.at({0, 0, 1, 2}, "buckets", bucket_panel(buckets, starts, settings.integer("max_distance")));
  picture.at({1, 0}, "widths", width_panel(starts));
  picture.at({1, 1}, "matrix", matrix_panel(buckets, settings.integer("tokens")));
  return {std::move(picture).figure(settings, {.aspect = 1.3, .rows = {1, 1.2}, .cols = {1, 1}}),
          {starts.table()},
          checks_of(buckets, starts, run),
          worked_of(buckets)};
}

/// The first bucket of more than one distance.
double first_wide(const StudyResult& result) {
  return x_where(result, "buckets", "distances up to 2 D", [](double distances) { return distances > 1; });
}

constexpr auto tries = std::to_array<Try>({
    {"The encoder: half of the buckets for each side.", "direction=bidirectional",
     [](auto& now, auto& before) {
       return column(now, "buckets", "bucket").back() == 15 &&
              column(before, "buckets", "bucket").back() == 31;
     }},
    {"Few buckets, widening early.", "buckets=8 max_distance=64",
     [](auto& now, auto& before) { return first_wide(now) == 4 && first_wide(before) == 16; }},
    {"A greatest distance of 2048: wider, and none of them empty.", "max_distance=2048",
     [](auto& now, auto& before) {
       return column(now, "buckets", "bucket").size() == 32 &&
              at(now, "buckets", "distances up to 2 D", 30) >
                  10 * at(before, "buckets", "distances up to 2 D", 30);
     }},
    {"Many buckets for a short reach: some are never used.", "buckets=128 max_distance=80",
     [](auto& now, auto&) {
       const auto& used = column(now, "buckets", "bucket");
       return used.back() == 127 && used.size() < 128;
     }},
});

}  // namespace

extern const Study study{
    .id = "position/t5",
    .title = "T5's buckets",
    .topic = "Absolute and additive",
    .summary = "near keys one by one, far keys in ever wider buckets",
    .formula =
        R"(\mathrm{bucket}(r) = r \;\; (r < N/2), \quad \min\left(N-1,\; \frac{N}{2} + \left\lfloor \frac{N}{2} \frac{\ln (2r/N)}{\ln (2D/N)} \right\rfloor\right))",
    .about =
        "A head learns one bias for each bucket, and all layers share the table. Half of the buckets hold "
        "one distance each; the others grow by a constant factor up to D, and everything beyond is in the "
        "last one, which for 32 buckets and D = 128 begins at 113 already. A key that is far is only known "
        "to be far.",
    .source = "Raffel et al. 2020, arXiv 1910.10683, section 2.1, and its code",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::position_t5
