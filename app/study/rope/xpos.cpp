// xPos: pairs that turn and also shrink with the distance: what that does to a score, pair by pair, and where the factors
// that a query and a key are multiplied with leave the formats of few bits.
//
//   score by distance, with and without | what is left of a pair, by distance
//   the factors by position, from the first token and from the middle | the same score anywhere in a text, in few bits
#include "core/position/xpos.h"
#include "app/study/kit.h"
#include "app/study/rope/xpos_overflow.h"

namespace orrery::study::rope_xpos {
namespace {

using position::RopeLayout;
using position::RopeTable;
using position::ScoreSide;
using position::XposParams;
using tensor::Format;

constexpr auto parameters = std::to_array<Parameter>({
    whole("head_width", "Head width", "64", {2, 256}, "d: two dimensions make a pair",
          {.travel = Travel::powers_of_two, .multiple = 2, .model_fact = "head_dim"}),
    real("base", "Base", "10000", {2, 1e9},
         "b: a larger base makes the slow pairs slower; 10000 in the paper",
         {.travel = Travel::log, .model_fact = "rope_theta"}),
    real("gamma", "Gamma", "0.4", {0.1, 10}, "$\\gamma$: how little the fastest pair decays",
         {.travel = Travel::log}),
    whole("scale_base", "Scale base", "512", {64, 65536},
          "B: at this distance pair i has decayed to its $\\zeta_i$",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    whole("distance", "Distance", "256", {0, 8192}, "m - n: of the score that is looked at",
          {.travel = Travel::log, .unit = "tokens", .plays = true}),
    whole("reach", "Reach", "2048", {64, 8192}, "how far behind a query keys are drawn",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    whole("length", "Length", "65536", {256, 262144}, "tokens of the text whose factors are drawn",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    choice("count_from", "Count from", "start|middle",
           "positions from the first token, or from the middle of the text as published code does"),
    content_parameter("a query and a key that are the same vector of ones, or independent normal numbers"),
    seed_parameter("another one gives another query and key", "content=random"),
    show_parameter("all|score|pairs|factors|anywhere"),
});

XposParams params_of(const Settings& settings) {
  return {.gamma = settings.real("gamma"), .scale_base = settings.real("scale_base")};
}

struct Head {
  Matrix q, k;  ///< one row each
  std::vector<double> omega, zeta;
  XposParams params;
  double lengths() const { return q.norm() * k.norm(); }
};

Head head_of(const Settings& settings) {
  const Index width = settings.integer("head_width");
  Head head{.q = Matrix::Ones(1, width),
            .k = Matrix::Ones(1, width),
            .omega = position::rope_default_frequencies(width, settings.real("base")),
            .zeta = {},
            .params = params_of(settings)};
  head.zeta = position::xpos_scales(width / 2, head.params);
  if (settings.choice("content") == "random") {
    head.q = twin::rounded(tensor::Random(seed_of(settings), 0).normals(1, width));
    head.k = twin::rounded(tensor::Random(seed_of(settings), 1).normals(1, width));
  }
  return head;
}

/// The same row at each position, turned, and with xPos multiplied too.
Matrix turned(const Run& run, const Matrix& row, const Head& head, const std::vector<double>& positions,
              ScoreSide side, bool xpos) {
  RopeTable table = position::rope_table(positions, head.omega);
  if (xpos) position::apply_xpos(table, positions, head.params, side);
  return twin::rope(run, row.replicate(std::ssize(positions), 1), table, RopeLayout::half);
}

/// ζ^(r/B), of the formula rather than of the op.
double kept(const Head& head, std::size_t pair, double distance) {
  const double pairs = number(head.zeta.size()), gamma = head.params.gamma;
  return std::pow((number(pair) / pairs + gamma) / (1 + gamma), distance / head.params.scale_base);
}
double kept_on_average(const Head& head, double distance) {
  double sum = 0;
  for (std::size_t i = 0; i < head.zeta.size(); ++i) sum += kept(head, i, distance);
  return sum / number(head.zeta.size());
}

/// Every whole distance, some ahead of the query too.
Series scores_by_distance(const Run& run, const Settings& settings, const Head& head) {
  const Index reach = settings.integer("reach"), ahead = reach / 4;
  std::vector<double> distances;
  for (Index r = -ahead; r <= reach; ++r) distances.push_back(number(r));
  Series scores("scores", {"distance", "tokens", distances});
  for (const bool xpos : {false, true}) {
    run.check();
    const Matrix rows = turned(run, head.q, head, distances, ScoreSide::query, xpos);
    const Matrix products = rows * head.k.transpose() / head.lengths();
    scores.add(xpos ? "xPos" : "RoPE", row_of(products.transpose()));
  }
  return scores.add("kept on average", [&](double r) { return kept_on_average(head, r); });
}

/// The slowest and the fastest pair and three between them.
std::vector<std::size_t> pairs_drawn(const Head& head) {
  const std::size_t last = head.zeta.size() - 1;
  std::vector<std::size_t> pairs{0, last / 4, last / 2, last - last / 4, last};
  pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
  return pairs;
}

std::string pair_name(std::size_t pair) {
  return "pair " + std::to_string(pair);
}

Series kept_by_distance(const Settings& settings, const Head& head) {
  std::vector<double> distances;
  for (int i = 0; i <= 128; ++i) distances.push_back(settings.real("reach") * i / 128);
  Series series("kept", {"distance", "tokens", std::move(distances)});
  for (const std::size_t pair : pairs_drawn(head))
    series.add(pair_name(pair), [&](double r) { return kept(head, pair, r); });
  return series.add("mean of all pairs", [&](double r) { return kept_on_average(head, r); });
}

/// The pair whose numbers are worked: one of those that are drawn.
std::size_t worked_pair(const Head& head) {
  return (head.zeta.size() - 1) / 4;
}

Table here_table(const Head& head, double distance) {
  Table table{"here",
              {{.name = "distance", .unit = "tokens"},
               {.name = "kept on average"},
               {.name = "pair"},
               {.name = "zeta of the pair"},
               {.name = "kept by the pair"}}};
  const std::size_t pair = worked_pair(head);
  add_row(table, distance, kept_on_average(head, distance), pair, head.zeta[pair],
          kept(head, pair, distance));
  return table;
}

// Panels.

Panel score_panel(const Settings& settings, const Series& scores) {
  double low = 0, high = 1;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (const char* name : {"RoPE", "xPos"}) {
      low = std::min(low, scores[name][i]);
      if (scores.x()[i] >= 0) high = std::max(high, scores[name][i]);
    }
  }
  constexpr double of_words = 0.25;  // of the scores' height, below them: for what the stripe says
  Panel panel{.title = "Score by distance",
              .x = counts("distance $m - n$"),
              .y = values("score / $|q||k|$", Range{low - of_words * (high - low), 1.15 * high}),
              .marks = {Rule{.at = scores.x().front(), .to = 0, .ink = ink(Role::accent_ground)},
                        scores.line("RoPE", {.ink = series(1), .width = 0.8, .label = "RoPE"}),
                        scores.line("kept on average", {.ink = ink(Role::secondary),
                                                        .width = 0.8,
                                                        .dash = Dash::dotted,
                                                        .label = "kept on average",
                                                        .dash_by_series = false}),
                        scores.line("xPos", {.ink = series(0), .label = "xPos"})},
              .legend = LegendPlace::above};
  panel.marks.emplace_back(Note{.x = scores.x().front(),
                                .y = panel.y.range->lo,
                                .text = "ahead of the query",
                                .ink = ink(Role::secondary),
                                .h = HAlign::left,
                                .v = VAlign::bottom,
                                .dx = 2});
  const double distance = settings.real("distance");
  if (distance <= settings.real("reach"))
    add_handle(panel, distance, scores["xPos"][static_cast<std::size_t>(distance - scores.x().front())],
               "distance", "drag to move the key away");
  return panel;
}

Panel pairs_panel(const Settings& settings, const Head& head, const Series& kept_there) {
  Panel panel{.title = "What is left of a pair",
              .x = counts("distance $m - n$"),
              .y = values("$\\zeta_i^{(m-n)/B}$", Range{0, 1.04}),
              .legend = LegendPlace::above};
  int color = 0;
  for (const std::size_t pair : pairs_drawn(head))
    panel.marks.push_back(kept_there.line(
        pair_name(pair), {.ink = series(color++), .width = 0.9, .label = "pair " + std::to_string(pair)}));
  panel.marks.push_back(kept_there.line(
      "mean of all pairs", {.ink = ink(Role::text), .width = 1.4, .label = "mean", .dash_by_series = false}));
  const double distance = settings.real("distance");
  if (distance <= settings.real("reach"))
    panel.marks.emplace_back(Rule{.at = distance, .ink = ink(Role::accent), .dash = Dash::dotted});
  return panel;
}

std::vector<Check> checks_of(const Run& run, const Settings& settings, const Head& head) {
  const double distance = settings.real("distance"), B = head.params.scale_base;
  // Where the largest factor is at most e^60, floats hold all of them, and what they are multiplied with.
  const double shift = std::floor(std::min(settings.real("length"), 60 * B / -std::log(head.zeta.front())));
  const auto score = [&](double m, double n) {
    const Matrix q = turned(run, head.q, head, {m}, ScoreSide::query, true),
                 k = turned(run, head.k, head, {n}, ScoreSide::key, true);
    return q.row(0).dot(k.row(0)) / head.lengths();
  };
  Worst moved, decay;
  const double at_start = score(distance, 0);
  for (const double part : {0.25, 0.5, 1.0}) {
    const double n = std::floor(part * shift);
    moved.meet(std::abs(score(n + distance, n) - at_start));
  }
  // Vectors of ones: pair i has the length √2 before it is turned.
  const Matrix ones = Matrix::Ones(1, head.q.cols());
  const Matrix q = turned(run, ones, head, {shift + distance}, ScoreSide::query, true),
               k = turned(run, ones, head, {shift}, ScoreSide::key, true);
  const Index pairs = std::ssize(head.zeta);
  for (Index i = 0; i < pairs; ++i) {
    const double product = std::hypot(q(0, i), q(0, i + pairs)) * std::hypot(k(0, i), k(0, i + pairs)) / 2;
    decay.meet(std::abs(product - kept(head, static_cast<std::size_t>(i), distance)));
  }
  const double u = twin::unit_roundoff(run);
  // A power of up to e^60 is off by 60 roundings of its exponent at both sides; an angle by one of itself.
  const double powers = 4 * 64 * 0x1p-53, angles = 4 * (shift + distance) * 0x1p-53;
  Check mean_known =
      known_answer("$d = 64$: at distance 1024 the pairs keep 44.15 % on average",
                   std::abs(kept_on_average(head_of(Settings(parameters)), 1024) - 0.441515864158), 1e-12);
  return {{"the score depends on $m - n$ only", moved,
           2 * (twin::turned_score_slack(run, head.q.cols()) + powers + angles)},
          {"pair $i$ of a score decays as $\\zeta_i^{(m-n)/B}$", decay, 16 * u + powers},
          std::move(mean_known),
          twin::equals_reference(run, {position::rope_bound, position::rope_gpu_bound}, [&](const Run& each) {
            return turned(each, head.q, head, {0, 1, 100, distance}, ScoreSide::query, true);
          })};
}

std::string worked_of(const Head& head, double distance) {
  const std::size_t pair = worked_pair(head);
  const double pairs = number(head.zeta.size()), gamma = head.params.gamma, zeta = head.zeta[pair];
  const std::string name = worked::subscripted("\\zeta", number(pair));
  Worked worked;
  worked.add(name, worked::frac(term(number(pair)) / pairs + gamma, term(1) + gamma), zeta);
  return worked
      .add(name + "^{(m-n)/B}", worked::power(zeta, term(distance) / head.params.scale_base),
           kept(head, pair, distance))
      .tex();
}

std::string title_of(const Head& head, const Text& text, const Table& overflow) {
  const std::string kept = "At distance " + grouped(text.distance) + " pairs keep " +
                           short_text(100 * kept_on_average(head, text.distance), 3) + " % on average; ";
  const auto in_f16 = [&](std::size_t column) { return grouped(overflow.columns[column].values.front()); };
  if (text.centred)
    return kept + "counted from the middle, the factors of " + in_f16(3) + " tokens have room in f16";
  return kept + "the factor of keys leaves f16 at position " + in_f16(1);
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Head head = head_of(settings);
  const double distance = settings.real("distance");
  const Series scores = scores_by_distance(run, settings, head),
               kept_there = kept_by_distance(settings, head);
  const Text text{.length = settings.real("length"),
                  .distance = distance,
                  .centred = settings.choice("count_from") == "middle"};
  const Series factors = xpos_factors(head.zeta.front(), head.params, text);
  const Table overflow = xpos_overflow(head.zeta.front(), head.params);
  run.check();
  const XposVectors vectors{row_of(head.q), row_of(head.k), head.omega};
  const std::vector<Series> anywhere = xpos_anywhere(run, vectors, head.params, text);
  Picture picture(
      title_of(head, text, overflow),
      "Above, the score of a query with the same key by distance, with and without xPos, and what is left of "
      "single pairs. Below, the factors that the fastest pair of queries and keys is multiplied with, by "
      "position, and how far the same score is off anywhere in a text in formats of few bits.");
  picture.at({0, 0}, "score", score_panel(settings, scores));
  picture.at({0, 1}, "pairs", pairs_panel(settings, head, kept_there));
  picture.at({1, 0}, "factors", xpos_factor_panel(factors));
  picture.at({1, 1}, "anywhere", xpos_anywhere_panel(anywhere, text));
  std::vector<Table> tables{here_table(head, distance), scores.table(), kept_there.table(), overflow,
                            factors.table()};
  for (const Series& each : anywhere) tables.push_back(each.table());
  return {std::move(picture).figure(settings, {.aspect = 1.2,
                                               .rows = {1, 1},
                                               .cols = {1.05, 1},
                                               .telling = {"score", "factors", "pairs", "anywhere"}}),
          std::move(tables), checks_of(run, settings, head), worked_of(head, distance)};
}

constexpr auto tries = std::to_array<Try>({
    {"At distance B each pair keeps its $\\zeta_i$: 63 % on average.", "distance=512",
     [](auto& now, auto&) { return between(0.625, column(now, "here", "kept on average").front(), 0.635); }},
    {"Positions counted from the middle: a text in f16 may be twice as long as from the start.",
     "count_from=middle length=8192",
     [](auto& now, auto&) {
       const double start = at(now, "overflow", "key overflows from", "f16"),
                    centred = at(now, "overflow", "longest text, centred", "f16");
       return std::abs(centred - 2 * start) <= 2 && column(now, "anywhere_f16", "error").size() == 257;
     }},
    {"A larger B decays and overflows later.", "scale_base=4096",
     [](auto& now, auto& before) {
       return column(now, "here", "kept on average").front() >
                  column(before, "here", "kept on average").front() &&
              at(now, "overflow", "key overflows from", "f16") >
                  at(before, "overflow", "key overflows from", "f16");
     }},
    {"Ahead of the query, the factors grow: xPos is for causal attention only.", "show=score",
     [](auto& now, auto&) { return at(now, "scores", "kept on average", -512) > 1.5; }},
});

}  // namespace

extern const Study study{
    .id = "rope/xpos",
    .title = "xPos",
    .topic = "Rotary positions",
    .summary = "pairs that decay with the distance, the fast ones most",
    .formula =
        R"(\zeta_i = \frac{2i/d + \gamma}{1 + \gamma}, \quad q_m \to \zeta_i^{m/B} R_m q, \quad k_n \to \zeta_i^{-n/B} R_n k, \quad s_{mn} = \sum_i \zeta_i^{(m-n)/B} \mathrm{Re}[q_i \bar{k}_i e^{\mathrm{i}(m-n)\theta_i}])",
    .about =
        "RoPE alone lets scores swing at any distance. xPos multiplies queries by a power of their position and keys by its "
        "inverse, so that a score decays with the distance, fast pairs most. The factors themselves know no distance: keys grow "
        "without end and overflow, which counting from the middle of a text puts off.",
    .source = "Sun et al. 2022, arXiv 2212.10554, section 3.2; torchscale's xpos_relative_position.py",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_xpos
