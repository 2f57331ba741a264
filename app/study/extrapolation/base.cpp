// How far a base reaches: the first distance at which a like key no longer scores above an unlike one.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/rules.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "core/position/rope_base.h"
#include "core/position/rope_decay.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using tensor::Index;

constexpr std::string_view parts = "all|table|reach|similarity";

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    head_width_parameter,
    base_parameter,
    {.name = "context",
     .label = "Context length",
     .kind = Kind::integer,
     .fallback = "4096",
     .min = 64,
     .max = 1048576,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "L: how far a like key must score above an unlike one",
     .model_fact = "max_position_embeddings"},
    {.name = "ratio",
     .label = "Step of the search",
     .kind = Kind::real,
     .fallback = "1.001",
     .min = 1.0001,
     .max = 1.1,
     .travel = Travel::log,
     .help =
         "from one base that is tried to the next; a narrow stretch of good bases is missed by a wide step"},
    show_parameter(parts),
});

constexpr Index shortest_context = 64;
constexpr int bases_drawn = 240, similarities_drawn = 800;

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

using OnRow = std::function<void(const figure::Table&)>;

/// Least bases of the contexts from 1024 (or less) up to the chosen one, by doubling; `on_row` sees what there is so far.
figure::Table least_table(const Settings& settings, const Run& run, const OnRow& on_row) {
  figure::Table table{"least_base", {{.name = "context", .unit = "tokens"}, {.name = "least base"}}};
  const Index width = stretch_of(settings).head_width, last = settings.integer("context");
  // No base below half the context reaches it: B falls below 0 before b itself, at 0.62 b for wide heads.
  double from = static_cast<double>(shortest_context) / 2;
  for (Index context = std::min<Index>(1024, last);; context = std::min(2 * context, last)) {
    run.progress(0.8 * std::log2(static_cast<double>(context)) / 20);
    const double least = position::least_base(
        width, context,
        {.from = from, .to = 1e12, .ratio = settings.real("ratio"), .on_base = [&] { run.check(); }});
    if (least == 0) break;
    table.columns[0].values.push_back(static_cast<double>(context));
    table.columns[1].values.push_back(least);
    from = least;  // what reaches further reaches this too
    if (context == last) break;
    on_row(table);
  }
  return table;
}

figure::Panel table_panel(const figure::Table& least, Index width) {
  figure::Panel panel;
  panel.title = "Least base by length";
  panel.x = {.label = "context length $L$",
             .scale = figure::Scale::log(2),
             .ticks = figure::TickHint::powers_of_two};
  panel.y = {.label = "base $b$", .scale = figure::Scale::log(10), .grid = true};
  panel.legend = figure::LegendPlace::above;
  const auto& contexts = least.columns[0].values;
  figure::Points paper{.ink = figure::series(1), .radius = 3, .symbol = figure::Symbol::ring};
  paper.label = "the paper's";
  figure::Line fit{.ink = {figure::Role::secondary, 0, 1}, .dash = figure::Dash::dotted};
  fit.label = "$0.0424\\,L^{1.628}$";
  fit.dash_by_series = false;
  for (const auto& row : published) {
    if (contexts.empty() || row[0] > contexts.back() * 1.01) break;
    paper.x.push_back(row[0]);
    paper.y.push_back(row[1]);
  }
  for (const double context : contexts) {
    fit.x.push_back(context);
    fit.y.push_back(fitted(context));
  }
  figure::Points found{contexts, least.columns[1].values, figure::series(0), 2};
  found.label = "found here";
  panel.marks = {fit, found};
  if (width == 128) panel.marks.insert(panel.marks.begin() + 1, paper);  // it is about this width
  return panel;
}

figure::Table reach_table(const Settings& settings, const Run& run) {
  figure::Table table{"reach", {{.name = "base"}, {.name = "reach", .unit = "tokens"}}};
  const double context = static_cast<double>(settings.integer("context"));
  const Stretch stretch = stretch_of(settings);
  const double from = context / 2, to = std::max(30 * context, 1.5 * stretch.base);
  for (int i = 0; i < bases_drawn; ++i) {
    run.check();
    const double base = std::max(2.0, from) * std::pow(to / std::max(2.0, from), i / (bases_drawn - 1.0));
    table.columns[0].values.push_back(base);
    table.columns[1].values.push_back(static_cast<double>(
        position::context_of_base(stretch.head_width, base, 2 * settings.integer("context"))));
  }
  return table;
}

figure::Panel reach_panel(const figure::Table& reach, double context, double base, double reached) {
  figure::Panel panel;
  panel.title = "Reach by base; dashed: " + grouped(context);
  panel.x = {.label = "base $b$", .scale = figure::Scale::log(10)};
  panel.y = {.label = "reach (tokens)",
             .scale = figure::Scale::log(2),
             .ticks = figure::TickHint::powers_of_two,
             .grid = true};
  panel.legend = figure::LegendPlace::none;
  figure::Line line{.x = reach.columns[0].values, .y = reach.columns[1].values, .ink = figure::series(0)};
  line.course = figure::Course::step_middle;
  line.dash_by_series = false;
  figure::Rule wanted{
      .direction = figure::Direction::horizontal, .at = context, .ink = {figure::Role::accent, 0, 1}};
  panel.marks = {wanted, line, figure::Points{{base}, {reached}, {figure::Role::accent, 0, 1}, 2.4}};
  figure::Handle handle{.x = base, .y = reached, .parameter = "base"};
  handle.hint = "drag along the axis to choose a base";
  panel.handles.push_back(handle);
  return panel;
}

figure::Panel similarity_panel(const std::vector<double>& r, const std::vector<double>& similar,
                               double context, double base, Index failed) {
  figure::Panel panel;
  panel.title = "A like key against an unlike one, base " + grouped(base);
  panel.x = {
      .label = "distance $m$", .scale = figure::Scale::log(2), .ticks = figure::TickHint::powers_of_two};
  panel.y = {.label = "$B(m)$", .grid = true};
  panel.legend = figure::LegendPlace::none;
  panel.marks = trained_marks(context, r.back(), "");
  panel.marks.push_back(figure::Rule{.direction = figure::Direction::horizontal,
                                     .at = 0,
                                     .ink = {figure::Role::secondary, 0, 1},
                                     .dash = figure::Dash::solid});
  panel.marks.push_back(
      figure::Line{.x = r, .y = similar, .ink = figure::series(0), .width = 0.8, .dash_by_series = false});
  if (failed > 0) {
    figure::Annotation first{.x = static_cast<double>(failed),
                             .y = 0,
                             .text = "below 0 at " + grouped(static_cast<double>(failed))};
    first.ink = {figure::Role::fails, 0, 1};
    panel.marks.push_back(first);
  }
  return panel;
}

std::vector<Check> checks_of(Index width, const figure::Table& least, double lowest) {
  double short_of = 0;  // by how many tokens a least base misses its context
  const auto& contexts = least.columns[0].values;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const auto context = static_cast<Index>(contexts[i]);
    if (context > 1 << 17) continue;  // seconds, for what the search has just seen
    short_of = std::max(short_of, contexts[i] - static_cast<double>(position::context_of_base(
                                                    width, least.columns[1].values[i], context)));
  }
  const auto reach = [](double base, Index limit) {
    return static_cast<double>(position::context_of_base(128, base, limit));
  };
  return {
      {"every base found reaches its context; tokens missing", short_of, 0},
      {"$B$ up to the chosen base's reach: how far below 0", std::max(0.0, -lowest), 0},
      {"d = 128: base 4296 reaches 1024; tokens missing", 1024 - reach(4296, 1024), 0},
      {"not monotone: the larger base 5997.33 fails before 1024, at", reach(5997.33, 1024) + 1, 1023},
      {"d = 128, base 10 000: $B$ first falls below 0 at 1707", std::abs(reach(10000, 2000) + 1 - 1707), 0},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Stretch stretch = stretch_of(settings);
  const double base = stretch.base, context = static_cast<double>(settings.integer("context"));
  const Index width = stretch.head_width;
  const figure::Table reach = reach_table(settings, run);

  const std::vector<double> theta = stretched_rule("none", {width, base, 4096, 1}).rope.inv_freq;
  const Index limit = 2 * settings.integer("context");
  const Index failed = position::first_negative_similarity(theta, 1, limit);
  const double reached =
      failed == 0 ? static_cast<double>(limit) : std::max(1.0, static_cast<double>(failed - 1));
  const std::vector<double> r = spread_distances(2 * context, similarities_drawn);
  std::vector<double> similar;
  for (const double each : r) similar.push_back(position::similarity(theta, each));
  double lowest = similar[0];  // whole distances that the base reaches, a few hundred of them
  for (double m = 1; m < reached; m = std::floor(1.02 * m) + 1)
    lowest = std::min(lowest, position::similarity(theta, m));

  // The search is what takes its time; all else is there from the first row on.
  const auto shown = [&](const figure::Table& least) {
    figure::Panel table = table_panel(least, width), steps = reach_panel(reach, context, base, reached),
                  like = similarity_panel(r, similar, context, base, failed);
    table.cell = {0, 0};
    steps.cell = {0, 1};
    like.cell = {1, 0, 1, 2};
    StudyResult result;
    result.figure.title = "A longer context needs a larger base, but a larger base is not always enough";
    result.figure.description =
        "Left, the least base for each context length beside the published table. Right, how far each base "
        "reaches, which "
        "jumps up and down. Below, B by distance for the chosen base, and where it first falls below 0.";
    result.figure.panels = {std::move(table), std::move(steps), std::move(like)};
    result.figure.row_weights = {1, 0.9};
    result.figure.col_weights = {1, 1.1};
    result.figure.aspect = 1.35;
    show_only(result.figure, parts, settings.choice("show"));
    result.tables = {
        least,
        reach,
        {"similarity",
         {{.name = "distance", .unit = "tokens", .values = r}, {.name = "B", .values = similar}}}};
    return result;
  };
  const figure::Table least =
      least_table(settings, run, [&](const figure::Table& so_far) { run.publish(shown(so_far)); });
  StudyResult result = shown(least);
  result.checks = checks_of(width, least, lowest);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"A base of 39 987 fails within 4096 tokens, where 26 960 holds.", "base=39987"},
    {"Llama 3's base reaches 18 437 tokens.", "model=llama-3.1-8b context=16384"},
    {"Half the width: the same base reaches less.", "head_width=64"},
});

}  // namespace

const Study extrapolation_base{
    .id = "extrapolation/base",
    .title = "Base and context",
    .topic = "Past the trained length",
    .summary = "a longer context needs a larger base, but a larger base is not always enough",
    .formula = R"(B(m) = \sum_{i=0}^{d/2-1} \cos(m\,b^{-2i/d}) \geq 0 \quad \forall\, m \leq L)",
    .about =
        "A key like the query should score above one that is not, at every distance of the context; on "
        "average the "
        "difference is 2σ²B(m). So the base must keep B from falling below 0 up to the context length. The "
        "condition "
        "is not monotone: a larger base may fail where a smaller one holds, and how many good bases are "
        "found depends "
        "on the step of the search.",
    .source = "Xu et al. 2024, arXiv 2405.14591, theorem 1, equation 10, table 2 and figure 1",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
    .is_long = true,
};

}  // namespace orrery::study
