// The learning rate over the steps of a training, and what Adam makes of it in its first ones.
#include "core/training/schedule.h"

#include "app/study/kit.h"
#include "app/study/training/schedule_asked.h"
#include "app/study/training/schedule_checks.h"
#include "app/study/training/schedule_kinds.h"

namespace orrery::study::training_schedule {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    choice("schedule", "Schedule", "cosine|inverse_root|linear|stable|constant",
           "how the rate goes on after the warm-up"),
    whole("warm_up", "Warm-up", "2000", {0, 100000}, "w: steps in which the rate rises on a line",
          {.unit = "steps"}),
    whole("steps", "Steps", "100000", {2, 1000000}, "N: of the whole training",
          {.travel = Travel::log, .unit = "steps"}),
    choice("highest_from", "Highest rate", "typed|width",
           "typed, or $1/\\sqrt{d w}$ as the original Transformer has it"),
    real("highest", "Highest", "0.0006", {1e-8, 1}, "r: the rate at the end of the warm-up",
         {.travel = Travel::log, .only_when = "highest_from=typed"}),
    whole("width", "Width", "512", {1, 65536}, "d: components of a token's vector",
          {.travel = Travel::log, .only_when = "highest_from=width", .model_fact = "hidden_size"}),
    real("end", "End", "0.1", {0, 1}, "e: the share of the highest rate that is left at the last step"),
    real("decay_share", "Share of the fall", "0.1", {0.01, 1}, "q: of all steps, at their end"),
    choice("first_step", "First step", "one|zero",
           "papers count from one; programs that count from zero begin a warm-up with a rate of zero"),
    real("decay", "Weight decay", "0.1", {0, 1}, "λ: every step takes ηλ of each weight from it"),
    real("beta1", "β₁", "0.9", {0, 0.999}, "of the mean of the gradients"),
    real("beta2", "β₂", "0.999", {0.5, 0.99999}, "of the mean of their squares"),
    real("eps", "ε", "1e-8", {1e-20, 1}, "beside the root, so that nothing is divided by zero",
         {.travel = Travel::log}),
    toggle("bias_correction", "Bias correction", "on",
           "of both means, which begin at zero: divided by $1 - \\beta^t$"),
    whole("followed", "Steps followed", "1000", {4, 4000}, "of the optimiser, from the first one on",
          {.travel = Travel::log, .unit = "steps"}),
    real("gradient", "Size of gradients", "1", {1e-12, 1e6}, "γ: what all gradients are multiplied by",
         {.travel = Travel::log}),
    real("mean", "Mean gradient", "0", {0, 10}, "μ: what all steps agree on, in deviations between steps"),
    toggle("spike", "Spike", "off", "one step's gradients are much longer"),
    real("spike_size", "Length of the spike", "100", {2, 1e6}, "in usual lengths",
         {.travel = Travel::log, .only_when = "spike=on"}),
    real("clip", "Clip", "off", {0.01, 1000},
         "the longest that the gradient of all parameters may be, in usual lengths",
         {.travel = Travel::log, .word = "off"}),
    seed_parameter("another one gives other gradients"),
    show_parameter("all|rate|directions|updates|decay"),
});

/// The step whose rate is worked out.
double middle_of(const ScheduleAsked& asked) {
  return std::max(2.0, std::floor(asked.schedule.steps / 2));
}

/// Evenly spread steps, and those where a schedule has its corners.
std::vector<double> drawn_steps(const ScheduleAsked& asked) {
  constexpr double parts = 400;
  const training::Schedule& s = asked.schedule;
  std::vector<double> all;
  for (double i = 0; i <= parts; ++i) all.push_back(std::round(1 + (s.steps - 1) * i / parts));
  all.push_back(middle_of(asked));
  for (const double corner : {s.warm_up, s.steps * (1 - s.decay_share)})
    for (const double near : {-1.0, 0.0, 1.0})
      all.push_back(std::clamp(std::round(corner + 1 - asked.first + near), 1.0, s.steps));
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

Series rate_series(const ScheduleAsked& asked) {
  Series rates("rates", {"step", "", drawn_steps(asked)});
  for (const ScheduleKind& each : schedule_kinds) {
    ScheduleAsked other = asked;
    other.schedule.kind = each.kind;
    rates.add(std::string(each.name), [&](double step) { return other.rate(step); });
  }
  return rates;
}

/// What is left of a weight whose gradient is zero, by every step and not by those that are drawn alone.
struct Left {
  std::vector<double> at;  ///< the drawn steps
  double sum = 0, highest = 0, highest_step = 1;
};

Left left_by_decay(const Run& run, const ScheduleAsked& asked, const std::vector<double>& drawn) {
  Left left;
  double logs = 0;
  std::size_t next = 0;
  for (double step = 1; step <= asked.schedule.steps; ++step) {
    constexpr std::int64_t pause = 1 << 16;
    if (static_cast<std::int64_t>(step) % pause == 0) run.check();
    const double rate = asked.rate(step);
    logs += std::log1p(-rate * asked.decay);
    left.sum += rate;
    if (rate > left.highest) {
      left.highest = rate;
      left.highest_step = step;
    }
    if (next < drawn.size() && drawn[next] == step) {
      left.at.push_back(std::exp(logs));
      ++next;
    }
  }
  return left;
}

Series direction_series(const ScheduleAsked& asked, const Followed& followed) {
  Series directions("directions", {"step", "", numbered(asked.followed.steps)});
  directions.add("root mean square", followed.root_mean_square)
      .add("largest", followed.largest)
      .add("at most", followed.allowed);
  std::vector<double> with = followed.root_mean_square, without = with;
  for (std::size_t i = 0; i < with.size(); ++i) {
    with[i] *= asked.rate(number(i) + 1);
    without[i] *= asked.schedule.highest;
  }
  return directions.add("update", std::move(with)).add("update without warm-up", std::move(without));
}

Panel rate_panel(const ScheduleAsked& asked, const Series& rates) {
  Panel panel{.title = "Learning rate",
              .x = counts("step $s$"),
              .y = values("rate $\\eta_s$"),
              .legend = LegendPlace::best};
  panel.x.range = Range{0, asked.schedule.steps};
  int color = 0;
  for (const ScheduleKind& each : schedule_kinds) {
    const bool chosen = each.kind == asked.schedule.kind;
    const std::string name(each.name);
    panel.marks.push_back(
        rates.line(name, {.ink = series(color++), .width = chosen ? 1.6 : 0.6, .label = name}));
  }
  return panel;
}

figure::Figure decay_figure(const ScheduleAsked& asked, const Series& left) {
  Panel panel{.x = counts("step $s$"),
              .y = values("share of a weight", Range{0, 1}),
              .marks = {left.line("left", {.ink = series(0)})},
              .legend = LegendPlace::none};
  panel.x.range = Range{0, asked.schedule.steps};
  Picture picture("What the decay alone leaves of a weight: " + rounded_text(left["left"].back(), 3) +
                      " of it at the last step",
                  "What the weight decay alone leaves of a weight, over all steps.");
  return std::move(picture.at({0, 0}, "decay", std::move(panel))).whole({.aspect = 1.6});
}

Axis first_steps(const ScheduleAsked& asked) {
  return {.label = "step $s$",
          .scale = Scale::log(10),
          .range = Range{1, number(asked.followed.steps)},
          .grid = true};
}

/// Whole powers of ten about all that is drawn: less than two of them would have no ticks to speak of.
Range decades_about(const Series& all, std::initializer_list<std::string_view> columns) {
  double lo = INFINITY, hi = 0;
  for (const std::string_view column : columns)
    for (const double x : all[column])
      if (x > 0) {
        lo = std::min(lo, x);
        hi = std::max(hi, x);
      }
  if (!(lo <= hi)) return {0.1, 1};
  const double first = std::floor(std::log10(lo)), last = std::max(first + 1, std::ceil(std::log10(hi)));
  return {std::pow(10, first), std::pow(10, last)};
}

void mark_spike(Panel& panel, const Followed& followed) {
  if (followed.spike > 0)
    panel.marks.emplace_back(
        Rule{.at = number(followed.spike), .ink = ink(Role::accent), .dash = Dash::dotted, .text = "spike"});
}

Panel directions_panel(const ScheduleAsked& asked, const Series& directions, const Followed& followed) {
  Panel panel{
      .title = "Adam's directions",
      .x = first_steps(asked),
      .y = {.label = "$|\\hat m| / (\\sqrt{\\hat v} + \\epsilon)$", .scale = Scale::log(10), .grid = true},
      .marks = {directions.line("at most",
                                {.ink = ink(Role::secondary), .dash = Dash::dotted, .label = "at most"}),
                directions.line("largest", {.ink = series(1), .width = 0.7, .label = "largest"}),
                directions.line("root mean square", {.ink = series(0), .label = "root mean square"})},
      .legend = LegendPlace::above};
  panel.y.range = decades_about(directions, {"at most", "largest", "root mean square"});
  if (!asked.followed.adam.corrected) panel.y.label = "$|m| / (\\sqrt{v} + \\epsilon)$";
  mark_spike(panel, followed);
  return panel;
}

Panel updates_panel(const ScheduleAsked& asked, const Series& directions, const Followed& followed) {
  Panel panel{.title = "Its updates",
              .x = first_steps(asked),
              .y = {.label = "root mean square", .scale = Scale::log(10), .grid = true},
              .marks = {directions.line("update without warm-up", {.ink = ink(Role::secondary),
                                                                   .dash = Dash::dotted,
                                                                   .label = "at the highest rate"}),
                        directions.line("update", {.ink = series(0), .label = "at the rate of its step"})},
              .legend = LegendPlace::above};
  panel.y.range = decades_about(directions, {"update without warm-up", "update"});
  mark_spike(panel, followed);
  return panel;
}

Table told_table(const ScheduleAsked& asked, const Left& left, const Followed& followed) {
  Table table{"told", {{.name = "what"}, {.name = "value", .digits = 9}}};
  add_row(table, "highest rate", left.highest);
  add_row(table, "its step", left.highest_step);
  add_row(table, "first rate", asked.rate(1));
  add_row(table, "last rate", asked.rate(asked.schedule.steps));
  add_row(table, "mean rate", left.sum / asked.schedule.steps);
  add_row(table, "left by the decay", left.at.back());
  add_row(table, "first direction", followed.root_mean_square.front());
  add_row(table, "last direction", followed.root_mean_square.back());
  return table;
}

std::string title_of(const ScheduleAsked& asked, const Left& left) {
  return "The rate is highest at step " + grouped(left.highest_step) + ", " + rounded_text(left.highest, 3) +
         ", and " + rounded_text(asked.rate(asked.schedule.steps), 3) + " at the last";
}

/// Of the step in the middle, where that lies behind the warm-up; and of the highest rate by width.
std::string worked_of(const Settings& settings, const ScheduleAsked& asked) {
  using worked::frac, worked::sqrt;
  const training::Schedule& s = asked.schedule;
  Worked worked;
  if (settings.choice("highest_from") == "width")
    worked.add("r", frac(1, sqrt(term(settings.real("width")) * std::max(1.0, s.warm_up))), s.highest);
  const double step = middle_of(asked), counted = step - 1 + asked.first;
  const double eta = asked.rate(step);
  const std::string name = worked::subscripted("\\eta", step);
  const auto p = frac(term(counted) - s.warm_up, term(s.steps) - s.warm_up);
  if (counted < s.warm_up)
    worked.add(name, term(s.highest) * frac(counted, s.warm_up), eta);
  else if (s.kind == training::Schedule::Kind::inverse_root)
    worked.add(name, term(s.highest) * sqrt(frac(std::max(1.0, s.warm_up), std::max(1.0, counted))), eta);
  else if (s.kind == training::Schedule::Kind::cosine && s.steps > s.warm_up)
    worked.add(name,
               term(s.highest) * (term(s.end) + (term(1) - s.end) *
                                                    frac(term(1) + worked::cos(worked::two_pi() / 2 * p), 2)),
               eta);
  else if (s.kind == training::Schedule::Kind::linear && s.steps > s.warm_up)
    worked.add(name, term(s.highest) * (term(1) - (term(1) - s.end) * p), eta);
  else if (const double from = std::max(s.warm_up, s.steps - s.decay_share * s.steps);
           s.kind == training::Schedule::Kind::stable && counted > from && s.steps > from)
    worked.add(
        name,
        term(s.highest) * (term(1) - (term(1) - s.end) * frac(term(counted) - from, term(s.steps) - from)),
        eta);
  else if (counted > s.steps)
    worked.add(name, term(s.highest) * s.end, eta);
  else
    worked.add(name, term(s.highest), eta);
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const ScheduleAsked asked = schedule_asked(settings);
  const Series rates = rate_series(asked);
  const Left left = left_by_decay(run, asked, rates.x());
  Series left_series("left", {"step", "", rates.x()});
  left_series.add("left", left.at);
  run.check();
  const Followed followed = follow(asked.followed);
  const Series directions = direction_series(asked, followed);
  Picture picture(
      title_of(asked, left),
      "The learning rate over all steps, as five schedules have it with the same warm-up; and of the first steps the "
      "directions of Adam and how far they move a parameter, at the rate of each step and at the highest rate.");
  picture.at({0, 0, 1, 2}, "rate", rate_panel(asked, rates));
  picture.at({1, 0}, "directions", directions_panel(asked, directions, followed));
  picture.at({1, 1}, "updates", updates_panel(asked, directions, followed));
  picture.instead("decay", [&] { return decay_figure(asked, left_series); });
  return {std::move(picture).figure(settings, {.aspect = 1.05,
                                               .rows = {1, 1},
                                               .cols = {1, 1},
                                               .aspect_alone = 1.6,
                                               .telling = {"rate", "directions", "updates"}}),
          {told_table(asked, left, followed), rates.table(), left_series.table(), directions.table()},
          schedule_checks(asked, followed, {left.sum, left.highest, left.highest_step}),
          worked_of(settings, asked)};
}

double told(const StudyResult& of, std::string_view what) {
  return at(of, "told", "value", what);
}

constexpr auto tries = std::to_array<Try>({
    {"The original Transformer: 7 in ten thousand after 4000 steps, and half of that at step 16 000.",
     "schedule=inverse_root highest_from=width warm_up=4000 beta2=0.98",
     [](auto& now, auto&) {
       return between(6.9e-4, told(now, "highest rate"), 7.1e-4) &&
              between(0.499, at(now, "rates", "inverse square root", 16000) / told(now, "highest rate"),
                      0.51);
     }},
    {"Counted from zero: the first step of the warm-up changes nothing.", "first_step=zero",
     [](auto& now, auto&) { return told(now, "first rate") == 0; }},
    {"Without bias correction the first step is three times as large.", "bias_correction=off",
     [](auto& now, auto& before) {
       return between(3.1, told(now, "first direction") / told(before, "first direction"), 3.2);
     }},
    {"A spike with β₂ = 0.999: 500 steps later directions are still less than half as long.",
     "spike=on spike_size=1000",
     [](auto& now, auto& before) {
       return told(now, "last direction") < 0.5 * told(before, "last direction");
     }},
    {"The same spike, clipped: nothing is left of it at the end.", "spike=on spike_size=1000 clip=1",
     [](auto& now, auto&) { return told(now, "last direction") > 0.15; }},
    {"Gradients as small as ε: steps are no longer of one size.", "gradient=1e-8",
     [](auto& now, auto& before) {
       return told(now, "first direction") < 0.6 * told(before, "first direction");
     }},
});

}  // namespace

extern const Study study{
    .id = "training/schedule",
    .title = "Learning rates",
    .topic = "Training",
    .summary = "warm-up and decay, and why Adam's first steps need it",
    .formula =
        R"(\eta_s = r \frac{s}{w} \;(s \le w), \quad \Delta w_s = -\eta_s \left(\frac{\hat m_s}{\sqrt{\hat v_s} + \epsilon} + \lambda w\right))",
    .about =
        "Adam divides the mean of the gradients by the root of the mean of their squares: so the first step moves every "
        "parameter by the whole rate, whatever its gradient. Later, where gradients are noise, directions cancel and "
        "are about $\\sqrt{(1-\\beta_1)/(1+\\beta_1)}$ as long. A warm-up keeps the first steps small, in which the "
        "squares are known from few gradients. A gradient that is $S$ times too long stays in $\\hat v$, "
        "which forgets it by a factor of $e$ every $1/(1-\\beta_2)$ steps: all steps are short until it is forgotten, for "
        "about $\\ln(S^2 (1-\\beta_2))/(1-\\beta_2)$ steps where $S^2 (1-\\beta_2)$ is large. The decay of AdamW stands "
        "beside the gradient and is no part of it: what it takes depends on the rates alone.",
    .source =
        "Kingma, Ba 2015, arXiv 1412.6980; Vaswani et al. 2017, arXiv 1706.03762, equation 3; Loshchilov, Hutter "
        "2019, arXiv 1711.05101",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::training_schedule
