// Six ways to say where a token stands: how far the attention reaches with each, and what a longer text does to it.
#include <numeric>

#include "app/study/kit.h"
#include "app/study/position/bias_curves.h"
#include "app/study/position/compare_picture.h"
#include "app/study/position/schemes.h"
#include "app/study/rope/rules.h"
#include "core/position/alibi.h"
#include "core/position/t5_bias.h"

namespace orrery::study::position_compare {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    whole("trained_length", "Trained length", "512", {16, 8192},
          "L: rows of the learned table; what every scheme has seen",
          {.travel = Travel::powers_of_two, .unit = "tokens", .model_fact = "trained_length"}),
    whole("reach", "Reach", "8", {2, 8}, "length of the longer text, in trained lengths"),
    whole("width", "Width", "64", {2, 256}, "d: of embeddings, queries and keys; a model of one head",
          {.travel = Travel::powers_of_two, .multiple = 2, .model_fact = "head_dim"}),
    real("base", "Base", "10000", {2, 1e7}, "b: of the sinusoids and of RoPE",
         {.travel = Travel::log, .model_fact = "rope_theta"}),
    whole("head", "ALiBi's head", "6", {1, 8}, "h of 8: its slope is 2^-h"),
    content_parameter("a query and a key that are the same vector of ones, or independent normal numbers"),
    seed_parameter("of random contents and of the learned table"),
    show_parameter("all|sinusoidal|learned|rope|alibi|t5|none|table"),
});

SchemeModel model_of(const Settings& settings) {
  SchemeModel model{
      .trained = settings.integer("trained_length"),
      .width = settings.integer("width"),
      .base = settings.real("base"),
      .slope = position::alibi_slopes(8)[static_cast<std::size_t>(settings.integer("head") - 1)],
      .query = std::vector<double>(static_cast<std::size_t>(settings.integer("width")), 1),
      .seed = seed_of(settings)};
  model.key = model.query;
  if (settings.choice("content") == "alike") return model;
  const tensor::Random random(model.seed + (1ULL << 32));  // apart from the table's own numbers
  for (std::size_t i = 0; i < model.query.size(); ++i) {
    model.query[i] = random.normal(2 * i);
    model.key[i] = random.normal(2 * i + 1);
  }
  return model;
}

/// Whole distances from 1 to the first token, evenly spread on a log axis: the shares within them only rise.
std::vector<Index> drawn_distances(Index query) {
  std::vector<Index> distances;
  for (const double r : spread_distances(number(query), 200)) distances.push_back(std::lround(r));
  distances.erase(std::ranges::unique(distances).begin(), distances.end());
  return distances;
}

/// How far the score of one distance differs between queries at trained positions.
double spread_of(const Run& run, Scheme scheme, const SchemeModel& model) {
  const Index last = model.trained - 1, farthest = model.trained / 2;
  std::vector<Index> distances;
  for (Index r = 1; r <= farthest; r *= 2) distances.push_back(r);
  const std::vector<double> base = scheme_scores(run, scheme, model, last, distances);
  Worst spread;
  for (const Index query :
       {farthest, farthest + (last - farthest) / 3, farthest + 2 * (last - farthest) / 3}) {
    const std::vector<double> here = scheme_scores(run, scheme, model, query, distances);
    for (std::size_t i = 0; i < here.size(); ++i) spread.meet(std::abs(here[i] - base[i]));
  }
  return spread;
}

/// Yes is 1 and no is 0.
Table scheme_table(const Run& run, const SchemeModel& model, const Attention& inside,
                   const Attention& whole) {
  Table table{"schemes",
              {{.name = "scheme"},
               {.name = "relative"},
               {.name = "multiplied"},
               {.name = "parameters"},
               {.name = "numbers for the kernel"},
               {.name = "spread over positions"},
               {.name = "score at L - 1"},
               {.name = "score past L, least"},
               {.name = "score past L, most"}}};
  for (const SchemeFacts& facts : scheme_facts()) {
    run.check();
    // Where there is no row past L, the last score there is stands for both ends.
    const auto i = static_cast<std::size_t>(facts.scheme);
    const double end = inside.scores[i].back();
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t r = static_cast<std::size_t>(model.trained); r < whole.scores[i].size(); ++r) {
      if (std::isnan(whole.scores[i][r])) continue;
      least = std::min(least, whole.scores[i][r]);
      most = std::max(most, whole.scores[i][r]);
    }
    if (least > most) least = most = end;  // there is no row past L: the last one stands for both
    add_row(table, Called{std::string(facts.name), number(i + 1)}, facts.relative,
            facts.scheme == Scheme::rope, scheme_parameters(facts.scheme, model),
            scheme_kernel_numbers(facts.scheme, model), spread_of(run, facts.scheme, model), end, least,
            most);
  }
  return table;
}

/// The points of the picture; the learned table has none past its last row.
Table halves_table(std::initializer_list<const Attention*> queries) {
  Table table{"halves",
              {{.name = "scheme"}, {.name = "position"}, {.name = "half within", .unit = "tokens"}}};
  for (const Attention* each : queries)
    for (std::size_t i = 0; i < each->within.size(); ++i)
      if (const double half = half_within(each->within[i]); !std::isnan(half))
        add_row(table, Called{std::string(scheme_facts()[i].name), number(i + 1)}, each->query, half);
  return table;
}

/// How far each kind of scheme looks from the end of the longer text.
std::string halves_text(const Attention& whole) {
  const auto half = [&](Scheme scheme) {
    return grouped(half_within(whole.within[static_cast<std::size_t>(scheme)]));
  };
  return "At position " + grouped(number(whole.query)) + " half of the attention lies within distance " +
         half(Scheme::alibi) + " for ALiBi, " + half(Scheme::rope) + " for RoPE, " + half(Scheme::none) +
         " without a scheme";
}

/// How far the scores of a query 32 tokens into the text, without contents, are from what the op's own loops give.
double bias_error(const Run& exact, Scheme scheme, const SchemeModel& bare) {
  constexpr Index length = 33;
  Matrix reference(length, length);
  if (scheme == Scheme::t5) {
    const position::T5Buckets buckets;
    Matrix table(buckets.num_buckets, 1);
    for (Index k = 0; k < table.rows(); ++k) table(k, 0) = -std::log1p(number(k));
    position::t5_bias_ref(table, buckets, reference);
  } else {
    const std::array slopes{bare.slope};
    reference = alibi_reference(slopes, length, position::Direction::causal);
  }
  std::vector<Index> distances(length);
  std::iota(distances.begin(), distances.end(), Index{0});
  const std::vector<double> scores = scheme_scores(exact, scheme, bare, length - 1, distances);
  Worst worst;
  for (Index r = 0; r < length; ++r)
    worst.meet(std::abs(scores[static_cast<std::size_t>(r)] - reference(length - 1, length - 1 - r)));
  return worst;
}

/// Where the last of T5's buckets begins.
double last_bucket_from() {
  const position::T5Buckets buckets;
  Index distance = 0;
  while (position::t5_bucket(-distance, buckets) + 1 < buckets.num_buckets) ++distance;
  return number(distance);
}

/// How many different scores there are.
double distinct(std::vector<double> scores) {
  std::ranges::sort(scores);
  scores.erase(std::ranges::unique(scores).begin(), scores.end());
  return number(scores.size());
}

std::vector<Check> checks_of(const Run& run, const SchemeModel& model, const Table& table,
                             const Attention& attention) {
  const auto& spread = std::ranges::find(table.columns, "spread over positions", &Column::name)->values;
  const double d = number(model.width), root = std::sqrt(d);
  const auto length = [](const std::vector<double>& v) {
    return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
  };
  // Scores of turned vectors, twice; and angles up to L, rounded to 2^-53 of themselves, for both of the two.
  const double products = length(model.query) * length(model.key) / root,
               turned = products *
                        (2 * twin::turned_score_slack(run, model.width) + number(model.trained) * 0x1p-50);
  SchemeModel ones = model, bare = model;
  ones.query = ones.key = std::vector<double>(model.query.size(), std::sqrt(0.5));
  bare.query = bare.key = std::vector<double>(model.query.size(), 0);
  const Run exact = twin::on_reference(run);
  const Index query = attention.query;
  const std::vector<Index> distances = drawn_distances(query);
  const std::vector<double> rope = scheme_scores(exact, Scheme::rope, ones, query, distances),
                            waves = scheme_scores(exact, Scheme::sinusoidal, bare, query, distances);
  std::vector<Index> far;
  for (const Index r : distances)
    if (r >= 128) far.push_back(r);
  const std::vector<double> beyond = scheme_scores(exact, Scheme::t5, model, query, far);
  Worst uneven;
  for (const double score : beyond) uneven.meet(std::abs(score - beyond.front()));
  // Equal contents make ALiBi's weights a geometric sequence, and leave without a scheme one weight for all.
  Worst geometric, even;
  const auto &falling = attention.within[static_cast<std::size_t>(Scheme::alibi)],
             &level = attention.within[static_cast<std::size_t>(Scheme::none)];
  for (const Index r : distances) {
    const auto i = static_cast<std::size_t>(r);
    const double keys = number(r) + 1;
    geometric.meet(std::abs(falling[i] -
                            std::expm1(-model.slope * keys) / std::expm1(-model.slope * number(query + 1))));
    even.meet(std::abs(level[i] - keys / number(query + 1)));
  }
  // A score is rounded to 2^-53 of itself and of the slope's part, and so many weights are summed.
  const double summed = (number(query) * (1 + model.slope) + std::abs(products) + 8) * 0x1p-51;
  const SchemeModel known{.trained = 512,
                          .width = 128,
                          .base = 10000,
                          .query = std::vector<double>(128, 0),
                          .key = std::vector<double>(128, 0)};
  const double published =
      scheme_scores(exact, Scheme::sinusoidal, known, 1100, {1024}).front() * std::sqrt(128);
  return {
      {"RoPE: one score for one distance, wherever the query stands", spread[2], turned},
      {"ALiBi: without contents the scores are the reference's bias", bias_error(exact, Scheme::alibi, bare),
       32 * model.slope * 0x1p-51},
      {"T5: without contents the scores are the reference's bias", bias_error(exact, Scheme::t5, bare), 0},
      {"ALiBi: weights fall as a geometric sequence", geometric, summed},
      {"none: the nearest $n$ of $m + 1$ keys have $n/(m + 1)$ of the weights", even, summed},
      {"RoPE of equal vectors is the dot product of sinusoidal rows", largest_difference(rope, waves),
       root * (number(query) + d) * 0x1p-51},
      {"T5: every key beyond 128 tokens has one score", uneven, 0},
      {"T5: no text has more scores than there are buckets",
       std::max(0.0, distinct(attention.scores[static_cast<std::size_t>(Scheme::t5)]) -
                         number(position::T5Buckets{}.num_buckets)),
       0},
      known_answer("T5: the last of 32 buckets begins at distance 113", std::abs(last_bucket_from() - 113),
                   0),
      known_answer("sinusoidal rows 1024 apart, $d = 128$: 13.084250832", std::abs(published - 13.084250832),
                   5e-10),
  };
}

/// Of the last trained query and the first key: a vector is added, both are turned, a number is added.
std::string worked_of(const Run& run, const SchemeModel& model) {
  const Index m = model.trained - 1;
  const double root = std::sqrt(number(model.width));
  const auto score = [&](Scheme scheme) {
    return scheme_scores(twin::on_reference(run), scheme, model, m, {m}).front();
  };
  const auto over_root = [&](double product) { return term(product) / sqrt(term(number(model.width))); };
  const std::string query = std::to_string(m);
  const double added = score(Scheme::sinusoidal), turned = score(Scheme::rope), plain = score(Scheme::none);
  Worked worked;
  worked.add("\\langle x + p_{" + query + "}, x' + p_0\\rangle/\\sqrt{d}", over_root(added * root), added);
  worked.add("\\langle R_{" + query + "} q, R_0 k\\rangle/\\sqrt{d}", over_root(turned * root), turned);
  return worked
      .add("\\langle q, k\\rangle/\\sqrt{d} + b(" + query + ")",
           over_root(plain * root) - term(model.slope) * number(m), score(Scheme::alibi))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const SchemeModel model = model_of(settings);
  const Attention inside = attention_of(run, model, model.trained - 1),
                  whole = attention_of(run, model, model.trained * settings.integer("reach") - 1);
  const std::vector<Index> distances = drawn_distances(whole.query);
  const Series short_text = within_series("within_trained", inside, drawn_distances(inside.query)),
               long_text = within_series("within_longer", whole, distances);
  const Table table = scheme_table(run, model, inside, whole);
  Picture picture(halves_text(whole),
                  "A panel for each of six schemes: how much of the attention lies within a distance, for a "
                  "query at the end of the trained length in grey and for one at the end of a longer text in "
                  "colour. A point marks where half of it lies.");
  Series scores("scores", {"distance", "tokens", {distances.begin(), distances.end()}});
  const std::string& shown = settings.choice("show");
  for (const SchemeFacts& facts : scheme_facts()) {
    const int i = static_cast<int>(facts.scheme);
    picture.at({i / 2, i % 2}, std::string(facts.id),  // one legend says it for all panels
               within_panel(facts, model, inside, short_text, whole, long_text,
                            shown != "all" || facts.scheme == Scheme::rope));
    if (facts.scheme == Scheme::learned) continue;
    const std::vector<double>& all = whole.scores[static_cast<std::size_t>(i)];
    scores.add(std::string(facts.name), [&](double r) { return all[static_cast<std::size_t>(r)]; });
  }
  picture.instead("table", [&] { return words_figure(model); });
  return {std::move(picture).figure(settings,
                                    {.aspect = 0.95,
                                     .rows = {1, 1, 1},
                                     .cols = {1, 1},
                                     .titles_alone = true,
                                     .telling = {"rope", "alibi", "t5", "none", "sinusoidal", "learned"}}),
          {table, halves_table({&inside, &whole}), long_text.table(), short_text.table(), scores.table()},
          checks_of(run, model, table, whole),
          worked_of(run, model)};
}

constexpr auto tries = std::to_array<Try>({
    {"Random contents move the attention of the first three; ALiBi, T5 and none stay as they are.",
     "content=random",
     [](auto& now, auto& before) {
       const auto moved = [&](const char* scheme) {
         return largest_difference(column(now, "within_trained", scheme),
                                   column(before, "within_trained", scheme));
       };
       return std::min({moved("sinusoidal"), moved("learned"), moved("RoPE")}) > 1e-3 &&
              std::max({moved("ALiBi"), moved("T5"), moved("none")}) < 1e-9;
     }},
    {"ALiBi's steepest head: half of its attention lies within one token.", "head=1",
     [](auto& now, auto&) { return at(now, "halves", "half within", 4) == 1; }},
    {"A larger base: RoPE turns more slowly and reaches further.", "base=500000",
     [](auto& now, auto& before) {
       return at(now, "halves", "half within", 3) > 2 * at(before, "halves", "half within", 3);
     }},
});

}  // namespace

extern const Study study{
    .id = "position/compare",
    .title = "Schemes compared",
    .topic = "Absolute and additive",
    .summary = "where a token stands, said in six ways",
    .formula =
        R"(\langle x + p_m, x' + p_n\rangle, \quad \langle R_m q, R_n k\rangle, \quad \langle q, k\rangle + b(m - n))",
    .derivation =
        "Why practice left T5's bias: a fused kernel of attention never holds the $L \\times L$ scores; it makes a tile of them, "
        "uses it and forgets it.\nRoPE turns $q$ and $k$ before, so the kernel meets two plain vectors and is given nothing "
        "else.\nALiBi needs one slope for each head, and makes $-s (m - n)$ from the places in the tile.\nT5's bias is learned, 32 "
        "buckets for each of $H$ heads: it must meet the score matrix, so a kernel is handed $H L^2$ numbers, or must know the "
        "buckets and sum their gradients on the way back.\nAnd its last bucket begins 113 tokens back: beyond, all keys have one "
        "bias, and distance is forgotten.",
    .about =
        "Absolute schemes add a vector to each embedding, and the score keeps terms that know where the "
        "query stands; relative ones turn query and key, or add to the score what depends on the distance "
        "alone. Each curve is how much of the attention lies within a distance, for a query at the end of "
        "what was trained and for one far beyond it: the learned table has no row there. Its rows are random here, as before training, and T5's table is "
        "one that falls like a logarithm.",
    .source =
        "Vaswani et al., arXiv 1706.03762; Su et al., arXiv 2104.09864; Press et al., arXiv 2108.12409; "
        "Raffel et al., arXiv 1910.10683; Kazemnejad et al., arXiv 2305.19466",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::position_compare
