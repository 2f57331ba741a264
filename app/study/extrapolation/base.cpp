// How far a base reaches: the first distance at which a like key no longer scores above an unlike one.
#include <functional>

#include "app/study/kit.h"
#include "app/study/kit/parts.h"
#include "app/study/rope/rules.h"
#include "core/position/rope_base.h"
#include "core/position/rope_decay.h"

namespace orrery::study::extrapolation_base {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    head_width_parameter,
    base_parameter,
    whole("context", "Context length", "4096", {64, 1048576},
          "L: how far a like key must score above an unlike one",
          {.travel = Travel::powers_of_two, .unit = "tokens", .model_fact = "max_position_embeddings"}),
    real("ratio", "Step of the search", "1.001", {1.0001, 1.1},
         "from one base that is tried to the next; a narrow stretch of good bases is missed by a wide step",
         {.travel = Travel::log}),
    show_parameter("all|table|reach|similarity"),
});

constexpr double shortest_context = 64;
constexpr Index shortest_table = 1024;
constexpr int bases_drawn = 240, similarities_drawn = 800;
constexpr double long_sums = 1 << 22;  // context times width: the reach of all bases takes 0.3 seconds

/// Table 2 of the paper, d = 128, and what a finer search found (kexue.fm 10122): context, least base.
constexpr std::array<std::array<double, 3>, 11> published{{{1024, 4.3e3, 4.3e3},
                                                           {2048, 1.6e4, 1.2e4},
                                                           {4096, 2.7e4, 2.7e4},
                                                           {8192, 8.4e4, 8.4e4},
                                                           {16384, 3.1e5, 2.3e5},
                                                           {32768, 6.4e5, 6.3e5},
                                                           {65536, 2.1e6, 2.1e6},
                                                           {131072, 7.8e6, 4.9e6},
                                                           {262144, 3.6e7, 2.4e7},
                                                           {524288, 6.4e7, 5.8e7},
                                                           {1048576, 5.1e8, 6.5e7}}};

/// The paper's fit to its table.
double fitted(double context) {
  return 0.0424 * std::pow(context, 1.628);
}

Table no_least_bases() {
  return {"least_base", {{.name = "context", .unit = "tokens"}, {.name = "least base"}}};
}

/// Least bases of the contexts from 1024 (or less) up to the chosen one, by doubling; `on_row` sees what there is so far.
Table least_table(const Settings& settings, const Run& run, const std::function<void(const Table&)>& on_row) {
  Table table = no_least_bases();
  const Index width = stretch_of(settings).head_width, last = settings.integer("context");
  // No base below half the context reaches it: B falls below 0 before b itself, at 0.62 b for wide heads.
  double from = shortest_context / 2;
  for (Index context = std::min(shortest_table, last);; context = std::min(2 * context, last)) {
    run.progress(0.2 + 0.8 * std::max(0.0, std::log2(number(context) / number(shortest_table)) / 10));
    const double least = position::least_base(
        width, context,
        {.from = from, .to = 1e12, .ratio = settings.real("ratio"), .pause = [&] { run.check(); }});
    if (least == 0) break;
    add_row(table, context, least);
    from = least;  // what reaches further reaches this too
    if (context == last) break;
    on_row(table);
  }
  return table;
}

Panel table_panel(const Table& least, Index width) {
  const auto &contexts = least.columns[0].values, &bases = least.columns[1].values;
  Points paper{.ink = series(1), .radius = 3, .symbol = Symbol::ring, .label = "the paper's"};
  Line fit{.ink = ink(Role::secondary), .dash = Dash::dotted, .label = "$0.0424\\,L^{1.628}$"};
  for (const auto& row : published) {
    if (contexts.empty() || row[0] > contexts.back() * 1.01) break;
    paper.x.push_back(row[0]);
    paper.y.push_back(row[1]);
  }
  for (const double context : contexts) {
    fit.x.push_back(context);
    fit.y.push_back(fitted(context));
  }
  Panel panel{.title = "Least base by length",
              .x = octaves("context length $L$"),
              .y = values("base $b$"),
              .marks = {fit},
              .legend = LegendPlace::above};
  panel.y.scale = Scale::log(10);
  if (width == 128) panel.marks.push_back(paper);  // it is about this width
  panel.marks.push_back(Points{.x = contexts, .y = bases, .ink = series(0), .label = "found here"});
  return panel;
}

/// Of bases up to `to`. `on_part` sees what there is so far.
Series reach_series(const Settings& settings, const Run& run, double to,
                    const std::function<void(const Series&)>& on_part) {
  const double context = settings.real("context");
  const Stretch stretch = stretch_of(settings);
  const double from = std::max(2.0, context / 2);
  std::vector<double> bases;
  for (int i = 0; i < bases_drawn; ++i) bases.push_back(from * std::pow(to / from, i / (bases_drawn - 1.0)));
  const auto of = [&](const std::vector<double>& reaches) {
    return Series("reach", {"base", "", {bases.begin(), bases.begin() + std::ssize(reaches)}})
        .add({.name = "reach", .unit = "tokens", .values = reaches});
  };
  Parts parts(bases_drawn, context * number(stretch.head_width) < long_sums ? bases_drawn + 1 : 0);
  std::vector<double> reaches;
  for (const double base : bases) {
    run.progress(0.2 * number(reaches.size()) / bases_drawn);
    if (parts.due(number(reaches.size()))) on_part(of(reaches));
    reaches.push_back(number(position::context_of_base(
        stretch.head_width, base, 2 * settings.integer("context"), [&] { run.check(); })));
  }
  return of(reaches);
}

Panel reach_panel(const Series& reach, double context, double base, double reached) {
  Panel panel{.title = "Reach by base",
              .x = {.label = "base $b$", .scale = Scale::log(10)},
              .y = octaves("reach (tokens)"),
              .marks = {level(context, {.text = "context " + grouped(context)}),
                        reach.line("reach", {.course = Course::step_middle})},
              .legend = LegendPlace::none};
  panel.y.grid = true;
  add_handle(panel, base, reached, "base", "drag along the axis to choose a base");
  return panel;
}

/// B over all whole distances up to the limit, in stretches that a page shows as one; the first that fails begins one.
Series similarity_series(const std::vector<double>& theta, Index limit, Index failed, const Run& run) {
  std::vector<Index> from;
  for (const double m : spread_distances(number(limit), similarities_drawn))
    from.push_back(static_cast<Index>(std::lround(m)));
  if (failed > 0) from.push_back(failed);
  std::ranges::sort(from);
  const auto again = std::ranges::unique(from);
  from.erase(again.begin(), again.end());
  from.push_back(limit + 1);
  const position::Envelope b = position::similarity_envelope(theta, from, [&] { run.check(); });
  Series made("similarity", {"distance", "tokens", {from.begin(), from.end() - 1}});
  made.add("mean B", b.mean).add("lowest B", b.lowest).add("highest B", b.highest);
  return made;
}

Panel similarity_panel(const Series& similarity, double context, double base, Index failed) {
  Panel panel{.title = "A like key against an unlike one, base " + grouped(base),
              .x = octaves("distance $m$"),
              .y = values("$B(m)$"),
              .marks = trained_marks(context, similarity.x().back(), ""),
              .legend = LegendPlace::none};
  panel.marks.push_back(level(0, {.ink = ink(Role::secondary), .dash = Dash::solid}));
  panel.marks.push_back(similarity.band("lowest B", "highest B", {.ink = series(0)}));
  panel.marks.push_back(similarity.line("mean B", {.width = 0.8}));
  if (failed > 0)
    panel.marks.push_back(Annotation{.x = number(failed),
                                     .y = 0,
                                     .text = "below 0 at " + grouped(number(failed)),
                                     .ink = ink(Role::fails)});
  return panel;
}

/// What the chosen base does, and the least base for its context once that is found.
std::string reach_text(double base, double context, Index failed, const Table& least) {
  const std::string name = "Base " + grouped(base);
  std::string text = failed == 0 ? name + " reaches at least " + amount(2 * context, "token", "tokens")
                                 : name + " reaches " + amount(number(failed - 1), "token", "tokens");
  const auto &contexts = least.columns[0].values, &bases = least.columns[1].values;
  if (contexts.empty() || contexts.back() != context) return text;
  return text + "; the least base found for " + grouped(context) + " is " + short_text(bases.back(), 4);
}

std::vector<Check> checks_of(Index width, const Table& least, double lowest, const Run& run) {
  double short_of = 0;  // by how many tokens a least base misses its context
  const auto& contexts = least.columns[0].values;
  for (std::size_t i = 0; i < contexts.size() && contexts[i] <= 1 << 17;
       ++i)  // beyond: seconds, for what the search has just seen
    short_of = std::max(short_of, contexts[i] - number(position::context_of_base(
                                                    width, least.columns[1].values[i],
                                                    static_cast<Index>(contexts[i]), [&] { run.check(); })));
  const auto reach = [](double base, Index limit) {
    return number(position::context_of_base(128, base, limit));
  };
  return {
      {"every base found reaches its context; tokens missing", short_of, 0},
      {"$B$ up to the chosen base's reach: how far below 0", std::max(0.0, -lowest), 0},
      known_answer("d = 128: base 4296 reaches 1024; tokens missing", 1024 - reach(4296, 1024), 0),
      known_answer("not monotone: the larger base 5997.33 fails before 1024, at", reach(5997.33, 1024) + 1,
                   1023),
      known_answer("d = 128, base 10 000: $B$ first falls below 0 at 1707",
                   std::abs(reach(10000, 2000) + 1 - 1707), 0),
  };
}

/// Where the base fails first, or else at the context's end.
std::string worked_of(const std::vector<double>& theta, double base, double m) {
  std::vector<Term> waves{cos(term(m))};
  for (std::size_t i = 1; i < theta.size(); ++i)
    waves.push_back(cos(term(m) * worked::power(base, -term(2 * number(i)) / (2 * number(theta.size())))));
  Worked worked;
  return worked
      .add("B(" + worked::number_tex(m, 17) + ")", worked::sum(waves), position::similarity(theta, m))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const Stretch stretch = stretch_of(settings);
  const double base = stretch.base, context = settings.real("context");
  const std::vector<double> theta = stretched_rule("none", {stretch.head_width, base, 4096, 1}).rope.inv_freq;
  const Index limit = 2 * settings.integer("context"),
              failed = position::first_negative_similarity(theta, 1, limit, [&] { run.check(); });
  const double reached = failed == 0 ? number(limit) : std::max(1.0, number(failed - 1));
  const Series similarity = similarity_series(theta, limit, failed, run);
  double lowest = 0;  // over all whole distances that the base reaches
  for (std::size_t i = 0; i < similarity.size() && similarity.x()[i] <= reached; ++i)
    lowest = std::min(lowest, similarity["lowest B"][i]);

  // The reaches and the search are what takes its time; all else is there from the first on.
  const auto shown = [&](const Series& reach, const Table& least) -> StudyResult {
    Picture picture(
        reach_text(base, context, failed, least),
        "Left, the least base found for each context length, beside the published ones where they "
        "are for this width. Right, how far each base reaches. Below, B by distance for the chosen "
        "base, and where it first falls below 0, if it does.");
    picture.at({0, 0}, "table", table_panel(least, stretch.head_width));
    picture.at({0, 1}, "reach", reach_panel(reach, context, base, reached));
    picture.at({1, 0, 1, 2}, "similarity", similarity_panel(similarity, context, base, failed));
    return {std::move(picture).figure(
                settings, {.aspect = 1.35, .rows = {1, 0.9}, .cols = {1, 1.1}, .telling = {"similarity"}}),
            {least, reach.table(), similarity.table()},
            {}};
  };
  Table least = no_least_bases();
  const auto reach_up_to = [&](double to) {
    return reach_series(settings, run, to, [&](const Series& so_far) { run.publish(shown(so_far, least)); });
  };
  Series reach = reach_up_to(std::max(30 * context, 1.5 * base));
  least = least_table(settings, run, [&](const Table& so_far) { run.publish(shown(reach, so_far)); });
  // The line of the context is met where the title says.
  const auto& found = least.columns[1].values;
  if (!found.empty() && 1.5 * found.back() > reach.x().back()) reach = reach_up_to(1.5 * found.back());
  StudyResult result = shown(reach, least);
  result.checks = checks_of(stretch.head_width, least, lowest, run);
  result.worked = worked_of(theta, base, failed == 0 ? context : number(failed));
  return result;
}

/// The first distance at which B falls below 0: a stretch of its table begins there.
double first_failed(const StudyResult& result) {
  return x_where(result, "similarity", "lowest B", [](double b) { return b < 0; });
}

constexpr auto tries = std::to_array<Try>({
    {"A base of 39 987 fails within 4096 tokens, where 26 960 holds.", "base=39987",
     [](auto& now, auto&) {
       return first_failed(now) == 2969 && at(now, "least_base", "least base", 4096) < 26960;
     }},
    {"Llama 3's base reaches 18 437 tokens.", "model=llama-3.1-8b context=16384",
     [](auto& now, auto&) { return first_failed(now) == 18438; }},
    {"Half the width: the same base reaches less.", "head_width=64",
     [](auto& now, auto& before) { return first_failed(now) < first_failed(before); }},
});

}  // namespace

extern const Study study{
    .id = "extrapolation/base",
    .title = "Base and context",
    .topic = "Past the trained length",
    .summary = "a longer context needs a larger base, but a larger base is not always enough",
    .formula = R"(B(m) = \sum_{i=0}^{d/2-1} \cos(m\,b^{-2i/d}) \geq 0 \quad \forall\, m \leq L)",
    .about =
        "A key like the query should score above one that is not, at every distance of the context; on "
        "average the difference is 2σ²B(m). So the base must keep B from falling below 0 up to the context "
        "length. The condition is not monotone: a larger base may fail where a smaller one holds, and how "
        "many good bases are found depends on the step of the search.",
    .source = "Men et al. 2024, arXiv 2405.14591, theorem 1, equation 10, table 2 and figure 1",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_base
