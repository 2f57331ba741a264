// The conventions of rotary positions at once: which columns meet, what score comes of it, and whether that score is
// relative.
#include "app/study/kit.h"
#include "app/study/rope/source.h"
#include "app/study/rope/wiring_picture.h"

namespace orrery::study::rope_layout {
namespace {

using position::RopeConvention;

constexpr auto parameters = std::to_array<Parameter>({
    always_read(with_fallback(head_width_parameter, "16")),
    always_read(base_parameter),
    real("part", "Rotated part", "0.5", {0, 1},
         "of the head, for the partial and the proportional convention"),
    whole("longest", "Longest distance", "64", {4, 4096}, "between query and key",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    numbers("keys", "Keys at", "0,10,100,1000", {0, 131072},
            "four places in the text at which the same key stands, the query behind it",
            {.travel = Travel::log, .length = 4, .unit = "tokens"}),
    content_parameter("a query that is its key, or an independent one"),
    seed_parameter("another one gives other vectors"),
    show_parameter("all|interleaved|half|half_permuted|partial|proportional|mixed_table|mixed_sides",
                   "all conventions below each other, or one alone and larger"),
});

struct Convention {
  RopeConvention convention;
  std::string_view key, name;
};

constexpr auto conventions = std::to_array<Convention>({
    {RopeConvention::interleaved, "interleaved", "interleaved"},
    {RopeConvention::half, "half", "half"},
    {RopeConvention::half_permuted, "half_permuted", "half, permuted"},
    {RopeConvention::partial, "partial", "partial"},
    {RopeConvention::proportional, "proportional", "proportional"},
    {RopeConvention::mixed_table, "mixed_table", "mixed table"},
    {RopeConvention::mixed_sides, "mixed_sides", "mixed sides"},
});

struct Content {
  std::vector<double> q, k;
  double lengths = 1;  ///< |q||k|
};

Content content_of(const Settings& settings) {
  const auto draw = [&](std::uint32_t stream) {
    return row_of(tensor::Random(seed_of(settings), stream).normals(1, settings.integer("head_width")));
  };
  const auto length = [](const std::vector<double>& x) {
    double sum = 0;
    for (const double v : x) sum += v * v;
    return std::sqrt(sum);
  };
  Content content{draw(0), draw(settings.choice("content") == "alike" ? 0 : 1)};
  content.lengths = length(content.q) * length(content.k);
  return content;
}

std::vector<double> distances_up_to(std::int64_t longest) {
  const std::int64_t step = std::max<std::int64_t>(1, longest / 256);
  std::vector<double> r;
  for (std::int64_t i = 0; i <= longest; i += step) r.push_back(number(i));
  return r;
}

/// What rounding alone can do to the difference of two scores over |q||k|: in each of them the query's position, both
/// angles (of at most `last`), cosines, products and the sum of d terms.
double rounding(double last, Index width) {
  return (6 * last + 4 * number(width) + 40) * 0x1p-53;
}

Table pair_table(const std::vector<WiredLane>& lanes) {
  Table table{"pairs",
              {{.name = "convention"},
               {.name = "of keys"},
               {.name = "column"},
               {.name = "partner"},
               {.name = "frequency", .unit = "rad/token"},
               {.name = "of the partner", .unit = "rad/token"}}};
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    const auto &query = lanes[k].wiring.query, &key = lanes[k].wiring.key;
    for (const position::RopePair& p : query)
      add_row(table, Called{lanes[k].name, number(k)}, false, p.a, p.b, p.frequency_a, p.frequency_b);
    if (query == key) continue;
    for (const position::RopePair& p : key)
      add_row(table, Called{lanes[k].name, number(k)}, true, p.a, p.b, p.frequency_a, p.frequency_b);
  }
  return table;
}

Table verdict_table(const std::vector<WiredLane>& lanes) {
  Table table{"verdicts", {{.name = "convention"}, {.name = "relative"}, {.name = "spread"}}};
  for (std::size_t k = 0; k < lanes.size(); ++k)
    add_row(table, Called{lanes[k].name, number(k)}, lanes[k].relative, lanes[k].spread);
  return table;
}

Series score_series(const WiredLane& lane, std::string_view key, const std::vector<double>& distances,
                    const std::vector<double>& keys) {
  Series scores("scores_" + std::string(key), {"distance", "tokens", distances});
  for (Index row = 0; row < lane.scores.rows(); ++row)
    scores.add("key at " + grouped(keys[row]), row_of(lane.scores, row));
  return scores;
}

std::vector<Check> checks_of(const std::vector<WiredLane>& lanes, const Content& content, double bound) {
  std::vector<Check> checks;
  for (std::size_t k = 0; k < 5; ++k)
    checks.push_back({lanes[k].name + ": the score depends on $m - n$ only", lanes[k].spread, bound});
  double plain = 0;
  for (std::size_t j = 0; j < content.q.size(); ++j) plain += content.q[j] * content.k[j];
  Worst unturned;  // a query beside its key: both are turned alike
  for (std::size_t k = 0; k < 5; ++k)
    unturned.meet((lanes[k].scores.col(0).array() - plain / content.lengths).abs().maxCoeff());
  checks.push_back(
      {"at distance 0 the five relative scores are that of the vectors unturned", unturned, bound});
  checks.push_back({"half with permuted weights gives the scores of interleaved",
                    (lanes[2].scores - lanes[0].scores).cwiseAbs().maxCoeff(), bound});
  Worst apart;
  for (const WiredLane& lane : lanes)
    apart.meet(std::abs(position::rope_wired_score(lane.wiring, content.q, content.k, 0, 0) - plain));
  checks.push_back({"at position 0 all seven agree: a test there finds no mistake", apart / content.lengths,
                    rounding(0, std::ssize(content.q))});
  return checks;
}

std::vector<WiredLane> lanes_of(const Settings& settings, const Run& run, const Content& content,
                                const std::vector<double>& distances, double bound) {
  std::vector<WiredLane> lanes;
  for (const Convention& each : conventions) {
    run.check();
    WiredLane lane{.name = std::string(each.name),
                   .wiring = position::rope_wiring(each.convention, {.width = settings.integer("head_width"),
                                                                     .base = settings.real("base"),
                                                                     .part = settings.real("part")}),
                   .scores = {}};
    lane.scores =
        position::rope_wired_scores(lane.wiring, content.q, content.k, distances, settings.vector("keys")) /
        content.lengths;
    lane.spread = position::score_spread(lane.scores);
    lane.relative = lane.spread <= bound;
    lane.compared = std::ranges::any_of(settings.vector("keys"),
                                        [&](double key) { return key != settings.vector("keys").front(); });
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

/// Which of those shown depend on where the tokens stand.
std::string verdict_text(const std::vector<WiredLane>& shown) {
  if (!shown.front().compared) return "With all keys at one place nothing tells whether a score is relative";
  std::string torn;
  double relative = 0;
  for (const WiredLane& lane : shown) {
    relative += lane.relative;
    if (!lane.relative) torn += (torn.empty() ? "" : " and ") + lane.name;
  }
  if (shown.size() == 1)
    return shown[0].name +
           (relative == 1 ? ": a score knows the distance only" : ": a score knows where the tokens stand");
  const std::string text =
      grouped(relative) + " of " + grouped(number(shown.size())) + " conventions give relative scores";
  return torn.empty() ? text : text + ", all but " + torn;
}

/// All of them, or the one that is chosen alone and larger.
figure::Figure figure_of(const Settings& settings, const std::vector<WiredLane>& lanes,
                         const std::vector<double>& distances) {
  const auto picture = [&](const std::vector<WiredLane>& shown, figure::Cell scores) {
    Picture two(
        verdict_text(shown),
        "Conventions of rotary positions: which columns of a head turn with each other, and the score "
        "against distance for keys at up to four places. "
        "Where the curves of different places are one, the score is relative.");
    two.at({0, 0}, "", wiring_panel(shown, settings.integer("head_width")));
    two.at(scores, "", lanes_panel(shown, distances, settings.vector("keys")));
    return two;
  };
  Picture all = picture(lanes, {0, 1});
  for (std::size_t k = 0; k < lanes.size(); ++k)
    all.instead(std::string(conventions[k].key), [&, k] {
      return picture({lanes[k]}, {1, 0}).whole({.aspect = 1.3, .rows = {0.5, 1}});
    });
  return std::move(all).figure(settings, {.aspect = 1.25, .cols = {1, 1}});
}

/// Two columns of the key that meet, turned to the second of its places: in the convention that is shown alone, or the first.
std::string worked_of(const Settings& settings, const std::vector<WiredLane>& lanes, const Content& content) {
  std::size_t shown = 0;
  for (std::size_t k = 0; k < conventions.size(); ++k)
    if (conventions[k].key == settings.choice("show")) shown = k;
  const position::RopeWiring& wiring = lanes[shown].wiring;
  const double m = settings.vector("keys")[1];
  std::vector<double> x = content.k;
  for (std::size_t j = 0; j < wiring.order.size(); ++j)
    x[j] = content.k[static_cast<std::size_t>(wiring.order[j])];
  const std::vector<double> y = position::rope_turned(x, m, wiring.key);
  Worked worked;
  if (wiring.key.empty()) return worked.add("y_0", term(1) * x[0], y[0]).tex();  // nothing turns
  const position::RopePair& pair = wiring.key[std::min<std::size_t>(1, wiring.key.size() - 1)];
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  const auto angle = [&](double frequency) { return term(m) * frequency; };
  worked.add(subscripted("y", number(a)),
             cos(angle(pair.frequency_a)) * x[a] - sin(angle(pair.frequency_a)) * x[b], y[a]);
  worked.add(subscripted("y", number(b)),
             sin(angle(pair.frequency_b)) * x[a] + cos(angle(pair.frequency_b)) * x[b], y[b]);
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Content content = content_of(settings);
  const std::vector<double>& keys = settings.vector("keys");
  const std::vector<double> distances = distances_up_to(settings.integer("longest"));
  const double last = *std::ranges::max_element(keys) + distances.back();
  const double bound = rounding(last, settings.integer("head_width"));
  const std::vector<WiredLane> lanes = lanes_of(settings, run, content, distances, bound);
  std::vector<Table> tables{verdict_table(lanes), pair_table(lanes)};
  for (std::size_t k = 0; k < lanes.size(); ++k)
    tables.push_back(score_series(lanes[k], conventions[k].key, distances, keys).table());
  return {figure_of(settings, lanes, distances), std::move(tables), checks_of(lanes, content, bound),
          worked_of(settings, lanes, content)};
}

constexpr auto tries = std::to_array<Try>({
    {"The mixed table alone: four places of the key, four different curves.", "show=mixed_table",
     [](auto& now, auto&) {
       const auto from = [&](const char* key) -> auto& {
         return column(now, "scores_mixed_table", key);
       };
       return std::min({largest_difference(from("key at 0"), from("key at 10")),
                        largest_difference(from("key at 10"), from("key at 100")),
                        largest_difference(from("key at 100"), from("key at 1000"))}) > 0.1;
     }},
    {"A real head: 128 columns, and Gemma's part of a quarter.", "head_width=128 part=0.25 base=1000000",
     [](auto& now, auto&) {  // convention 3 is the partial one
       return most(column(now, "pairs", "partner")) == 127 &&
              std::ranges::count(column(now, "pairs", "convention"), 3.0) == 128 / 4 / 2;
     }},
    {"Half with permuted weights: column 0 meets column 8, and the curve is that of interleaved.",
     "show=half_permuted head_width=16",
     [](auto& now, auto&) {
       return at(now, "pairs", "partner", 2) == 15 &&
              largest_difference(column(now, "scores_half_permuted", "key at 0"),
                                 column(now, "scores_interleaved", "key at 0")) < 1e-12;
     }},
});

}  // namespace

extern const Study study{
    .id = "rope/layout",
    .title = "Layouts",
    .topic = "Rotary positions",
    .summary = "which columns make a pair, and what mixing two conventions does",
    .formula =
        R"(y_a = \cos(m f_a)\, x_a - \sin(m f_a)\, x_b, \quad y_b = \sin(m f_b)\, x_a + \cos(m f_b)\, x_b)",
    .about =
        "A pair may be two neighbours or one column of each half; both are right, and differ by the order of "
        "the columns alone. Weights made for one give other scores under the other, still relative ones. Mix "
        "the two in one program and the score depends on where the tokens stand; only at position 0 nothing "
        "is seen.",
    .source =
        "Su et al. 2021, arXiv 2104.09864, eq. 34; huggingface/transformers#25199; Barbero et al. 2024, "
        "arXiv 2410.06205",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_layout
