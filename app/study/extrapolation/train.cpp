// A small model as it learns: what it does with texts longer than any it was trained on, and where two of its heads look.
#include "app/study/extrapolation/growth_results.h"
#include "app/study/extrapolation/small_gradient.h"
#include "app/study/kit.h"
#include "app/study/kit/kept_results.h"
#include "core/bench/benchmark.h"
#include "core/tensor/error.h"

namespace orrery::study::extrapolation_train {
namespace {

using training::Growth;
using training::GrowthLook;
using training::Runner;
using training::runners;
using training::Task;

constexpr auto parameters = std::to_array<Parameter>({
    choice("task", "Task", "copy|chains",
           "words that are said again, or chains whose next state is guessed from those before: with RoPE"),
    choice("scheme", "Scheme", "rope|alibi|t5|none|learned|sinusoidal", "what tells the model its positions",
           {.only_when = "task=copy"}),
    whole(
        "moment", "Moment", "11", {0, 11},
        "of twelve in the training, fewer where it is short, closer together at its beginning: the one whose heads are shown",
        {.plays = true}),
    choice("measure", "Measure", "accuracy|loss", "what the curves say"),
    toggle("retrain", "Retrain", "off",
           "on: here and now, some minutes; off: what is kept, or came with the program", {.measures = true}),
    whole("steps", "Steps", "2000", {1, 20000}, "of the training on words; on chains half as many again",
          {.travel = Travel::log, .unit = "steps", .only_when = "retrain=on"}),
    text("results", "Results", "", {0, 40000},
         "what was trained, as the recipe of a trained figure keeps it; empty: what came with the program",
         {.presentation = true}),
    show_parameter("all|lengths|steps|finding|back"),
});

Task task_of(const Settings& settings) {
  return settings.choice("task") == "copy" ? Task::copy : Task::markov;
}

const Runner& scheme_of(const Settings& settings) {
  const std::string key = task_of(settings) == Task::copy ? settings.choice("scheme") : "rope";
  return *std::ranges::find(runners(), key, &Runner::key);
}

const Growth& model_of(const Settings& settings, const GrowthResults& results) {
  const auto found = std::ranges::find_if(results.models, [&](const Growth& model) {
    return model.key == scheme_of(settings).key && model.task == task_of(settings);
  });
  if (found == results.models.end())
    throw InvalidArgument(about(Subject::Kind::parameter, "results")
                              .fault("nothing is kept of {} on this task: retrain=on trains it",
                                     name_phrase(scheme_of(settings).name)));
  return *found;
}

/// The moment, of as many as there are.
std::size_t moment_of(const Settings& settings, const Growth& model) {
  return std::min(static_cast<std::size_t>(settings.integer("moment")), model.looks.size() - 1);
}

bool by_accuracy(const Settings& settings) {
  return settings.choice("measure") == "accuracy";
}

const std::vector<double>& values_of(const Settings& settings, const GrowthLook& look) {
  return by_accuracy(settings) ? look.accuracy : look.loss;
}

std::string step_name(const GrowthLook& look) {
  return "step " + std::to_string(look.step);
}

/// Columns are moments; words by their length, chains by the middle of each part, as log axes have it.
Series lengths_series(const Settings& settings, const Growth& model) {
  std::vector<double> x(training::growth_words.begin(), training::growth_words.end());
  if (model.task != Task::copy) x = training::part_middles(model.looks.front().loss.size());
  Series series("by_length",
                {model.task == Task::copy ? "length" : "place in a chain", "tokens", std::move(x)});
  for (const GrowthLook& look : model.looks)
    series.add(figure::Column{.name = step_name(look),
                              .unit = by_accuracy(settings) ? "" : "nat",
                              .values = values_of(settings, look)});
  return series;
}

/// A length that was trained, and twice the longest of them: words of 30 and 60; chains from 48 and from 112 on.
std::array<std::size_t, 2> told_places(Task task) {
  if (task == Task::markov) return {training::part_from(48), training::part_from(112)};
  const auto of = [](training::Index n) {
    return static_cast<std::size_t>(std::ranges::find(training::growth_words, n) -
                                    training::growth_words.begin());
  };
  return {of(30), of(60)};
}

constexpr const char *trained_name = "trained length", *twice_name = "twice as long",
                     *finding_name = "finding head", *back_name = "one back";

Series steps_series(const Settings& settings, const Growth& model) {
  std::vector<double> steps;
  for (const GrowthLook& look : model.looks) steps.push_back(number(look.step));
  Series series("by_step", {"step", "", std::move(steps)});
  const auto add = [&](const char* name, const std::string& unit, auto value) {
    std::vector<double> values;
    for (const GrowthLook& look : model.looks) values.push_back(value(look));
    series.add(figure::Column{.name = name, .unit = unit, .values = std::move(values)});
  };
  const auto places = told_places(model.task);
  const std::string unit = by_accuracy(settings) ? "" : "nat";
  add(trained_name, unit, [&](const GrowthLook& look) { return values_of(settings, look)[places[0]]; });
  add(twice_name, unit, [&](const GrowthLook& look) { return values_of(settings, look)[places[1]]; });
  add(finding_name, "", [](const GrowthLook& look) { return look.share[0]; });
  add(back_name, "", [](const GrowthLook& look) { return look.share[1]; });
  return series;
}

std::string value_label(const Settings& settings, Task task) {
  if (by_accuracy(settings)) return task == Task::copy ? "tokens copied" : "states guessed";
  return task == Task::copy ? "loss / nat" : "loss above the floor / nat";
}

Panel lengths_panel(const Settings& settings, const Growth& model, const Series& lengths) {
  const bool copy = model.task == Task::copy;
  Panel panel{.title = "By length, stronger with every moment",
              .x = octaves(copy ? "word of $n$ tokens" : "place in a chain",
                           copy ? Range{8, 90} : Range{lengths.x().front(), 512}),
              .y = values(value_label(settings, model.task)),
              .legend = LegendPlace::none};
  if (by_accuracy(settings)) panel.y.range = Range{0, 1.3};  // above all shares the rule's words
  panel.marks.emplace_back(
      Rule{.at = copy ? 30.0 : 64.0, .ink = ink(Role::accent), .dash = Dash::dotted, .text = "← trained"});
  const std::size_t moment = moment_of(settings, model);
  const double moments = number(model.looks.size());
  for (std::size_t i = 0; i < model.looks.size(); ++i) {
    if (i == moment) continue;
    const double alpha = 0.12 + 0.6 * number(i) / moments;
    panel.marks.push_back(
        lengths.line(step_name(model.looks[i]), {.ink = ink(Role::text, alpha),
                                                 .dash_by_series = false,
                                                 .reading = {.name = step_name(model.looks[i])}}));
  }
  const std::string chosen = step_name(model.looks[moment]);
  panel.marks.push_back(lengths.line(
      chosen,
      {.ink = ink(Role::accent), .width = 1.8, .dash_by_series = false, .reading = {.name = chosen}}));
  panel.marks.push_back(lengths.points(chosen, {.ink = ink(Role::accent), .reading = {.none = true}}));
  return panel;
}

Panel steps_panel(const Settings& settings, const Growth& model, const Series& steps) {
  Panel panel{.title = "As it learns",
              .x = counts("training step"),
              .y = values(by_accuracy(settings) ? "share" : value_label(settings, model.task)),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(Rule{.at = number(model.looks[moment_of(settings, model)].step),
                                .ink = ink(Role::accent),
                                .dash = Dash::dotted});
  int color = 0;
  for (const figure::Column& column : steps.columns()) {
    const bool head = column.name == finding_name || column.name == back_name;
    if (head && !by_accuracy(settings)) continue;  // shares of a weight are no losses: the table has them
    panel.marks.push_back(
        steps.line(column.name,
                   {.ink = series(color), .dash = head ? Dash::dashed : Dash::solid, .label = column.name}));
    panel.marks.push_back(steps.points(column.name, {.ink = series(color++), .reading = {.none = true}}));
  }
  return panel;
}

std::string head_name(const training::HeadPlace& place) {
  return "layer " + std::to_string(place.layer + 1) + ", head " + std::to_string(place.head + 1);
}

Panel head_panel(const Settings& settings, const Growth& model, std::size_t which) {
  const GrowthLook& look = model.looks[moment_of(settings, model)];
  figure::Heatmap map = heatmap(tensor::Matrix<double>(look.maps[which].cast<double>()),
                                {.range = Range{0, 1}, .label = "weight", .bar = which == 1, .group = 1});
  return square_map_panel(
      (which == 0 ? "Finds the next: " : "Looks one back most: ") + head_name(model.heads[which]),
      std::move(map), "key", "query");
}

Table head_table(const Growth& model, std::size_t moment, std::size_t which) {
  return key_table(which == 0 ? "finding_head" : "one_back", model.looks[moment].maps[which].cast<double>());
}

std::string percent(double share) {
  return std::to_string(std::lround(100 * share)) + " %";
}

std::string title_of(const Settings& settings, const Growth& model) {
  const GrowthLook& look = model.looks[moment_of(settings, model)];
  const auto places = told_places(model.task);
  const std::string name(scheme_of(settings).name), after = amount(number(look.step), "step", "steps");
  if (model.task == Task::copy)
    return name + " after " + after + " on words of up to 30 tokens copies " +
           percent(look.accuracy[places[0]]) + " of 30 tokens, " + percent(look.accuracy[places[1]]) +
           " of 60";
  return name + " after " + after + " on chains of 64 lies " + fixed_text(look.loss[places[0]], 2) +
         " nat above the floor near their end, " + fixed_text(look.loss[places[1]], 2) + " before place 128";
}

/// Weights of a query sum to 1, but for what is lost by keeping them at 64 levels.
Check rows_sum_to_one(const Growth& model) {
  Worst worst;
  for (const GrowthLook& look : model.looks)
    for (const auto& map : look.maps)
      for (tensor::Index t = 0; t < map.rows(); ++t)
        worst.meet(std::abs(map.row(t).cast<double>().sum() - 1) / number(t + 1));
  return {"weights of every query sum to 1: the rest, for each of its keys", worst,
          kept_weight_error + 1e-6};  // and what a softmax in float leaves of 1
}

/// The heads' shares, again from the maps that are drawn.
Check shares_are_the_maps(const Growth& model) {
  const std::vector<training::Index> text = training::mapped_text(model.task);
  Worst worst;
  for (const GrowthLook& look : model.looks)
    for (int which = 0; which < 2; ++which) {
      double sum = 0, queries = 0, most_keys = 0;
      for (training::Index t = 0; t < training::mapped_tokens; ++t) {
        double keys = 0;
        for (training::Index n = 0; n <= t; ++n)
          if (training::is_looked_for(model.task, text, which, t, n))
            sum += look.maps[static_cast<std::size_t>(which)](t, n), ++keys;
        queries += keys > 0 ? 1 : 0;
        most_keys = std::max(most_keys, keys);
      }
      worst.meet(std::abs(sum / queries - look.share[static_cast<std::size_t>(which)]) / most_keys);
    }
  constexpr double five_digits_lose = 5e-6;
  return {"what a head puts on the tokens it is named for is what its map says", worst,
          kept_weight_error + five_digits_lose};
}

/// The finding head's share: a mean over the queries that look for something.
std::string worked_of(const Growth& model, std::size_t moment) {
  const std::vector<training::Index> text = training::mapped_text(model.task);
  std::vector<worked::Term> terms;
  double sum = 0;
  for (training::Index t = 0; t < training::mapped_tokens; ++t) {
    bool any = false;
    double weight = 0;
    for (training::Index n = 0; n <= t; ++n)
      if (training::is_looked_for(model.task, text, 0, t, n))
        weight += model.looks[moment].maps[0](t, n), any = true;
    if (!any) continue;
    terms.emplace_back(weight);
    sum += weight;
  }
  const double queries = number(terms.size());
  return Worked().add("a", worked::frac(worked::sum(terms), queries), sum / queries).tex();
}

StudyResult drawn(const Settings& settings, const GrowthResults& results) {
  const Growth& model = model_of(settings, results);
  const std::size_t moment = moment_of(settings, model);
  const Series lengths = lengths_series(settings, model), steps = steps_series(settings, model);
  Picture picture(
      title_of(settings, model),
      "A small model at moments of its training. Above, how well it does by the length of the text, a curve for "
      "each moment, and by the step; the trained length is marked. Below, where two of its heads look at the moment "
      "that is chosen: the one that finds what comes next, and the one that looks one token back most.");
  picture.at({0, 0}, "lengths", lengths_panel(settings, model, lengths));
  picture.at({0, 1}, "steps", steps_panel(settings, model, steps));
  picture.at({1, 0}, "finding", head_panel(settings, model, 0));
  picture.at({1, 1}, "back", head_panel(settings, model, 1));
  return {std::move(picture).figure(settings, {.aspect = 1.05,
                                               .rows = {1, 1.25},
                                               .cols = {1, 1},
                                               .aspect_alone = 1.4,
                                               .telling = {"lengths", "finding", "steps", "back"}}),
          {lengths.table(), steps.table(), head_table(model, moment, 0), head_table(model, moment, 1)},
          {gradient_is_slope(training::race_settings(scheme_of(settings), 1, 1).model),
           rows_sum_to_one(model), shares_are_the_maps(model)},
          worked_of(model, moment)};
}

GrowthResults trained_now(const Settings& settings, const Run& run) {
  GrowthResults results{plain(bench::machine()) + ", " + today(), settings.real("steps"), {}};
  const Task task = task_of(settings);
  const auto steps = settings.integer("steps");
  results.models.push_back(
      training::growth(task, scheme_of(settings), task == Task::copy ? steps : 3 * steps / 2, 1,
                       training::kept_folder(), [&](double share) { run.progress(share); }));
  return results;
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  if (settings.toggle("retrain")) {
    // What is drawn is what is kept: weights at 64 levels.
    const std::string line = text_of(trained_now(settings, run));
    StudyResult result = drawn(settings, growth_results(line));
    result.keeps = "retrain=off results='" + line + "'";
    return result;
  }
  const std::string& kept = settings.text("results");
  return drawn(settings, kept.empty() ? shipped_growth() : growth_results(kept));
}

constexpr auto tries = std::to_array<Try>({
    {"Before the first step: nothing is known, and no head finds what comes next.", "moment=0",
     [](auto& now, auto&) {
       return column(now, "by_length", "step 0").front() < 0.1 &&
              column(now, "by_step", finding_name).front() < 0.2;
     }},
    {"ALiBi as it learns: words twice as long come with those that are trained.", "scheme=alibi",
     [](auto& now, auto&) {
       return column(now, "by_step", twice_name).back() > 0.85 &&
              column(now, "by_step", trained_name).back() > 0.9;
     }},
    {"Learned rows: words that are trained are copied, the next longer ones are not, at any moment.",
     "scheme=learned",
     [](auto& now, auto&) {
       return column(now, "by_step", trained_name).back() > 0.7 &&
              most(column(now, "by_step", twice_name)) < 0.5;
     }},
});

}  // namespace

extern const Study study{
    .id = "extrapolation/train",
    .title = "As it learns",
    .topic = "Past the trained length",
    .summary = "what a small model does with longer texts while it learns, and where its heads look",
    .formula =
        R"(p_{tn} = \frac{e^{s_{tn}}}{\sum_{m \le t} e^{s_{tm}}}, \quad a = \frac{1}{|Q|} \sum_{t \in Q} \sum_{n \in N_t} p_{tn})",
    .about =
        "To say a word again, a head of the model has to look at the token that comes next, n back; in a chain it looks "
        "behind earlier states like the present one, which a second head prepares that looks one token back. As the "
        "first forms, the loss falls, at all lengths that were trained, and with some schemes at longer ones. Of all "
        "heads those two are shown that do it most at the end of the training; a word can be said again though none "
        "looks one back with most of its weight. Weights are kept at 64 levels.",
    .source =
        "Olsson et al. 2022, arXiv 2209.11895; Edelman et al. 2024, arXiv 2402.11004; Press, Smith, Lewis 2022, arXiv "
        "2108.12409",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::extrapolation_train
