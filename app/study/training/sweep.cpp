// A sweep of trainings as one figure: each variant's mean over its seeds, with their spread, by the length that it is asked.
#include "app/study/kit.h"
#include "app/study/kit/words.h"
#include "app/study/training/sweep_table.h"
#include "core/file/bytes.h"

namespace orrery::study::training_sweep {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    file("table", "Table", "table.csv|.csv",
         "that orrery sweep --collect wrote; none: a small sweep that came with the program"),
    choice("measure", "Measure", "loss|accuracy",
           "what is drawn: the mean of −ln p, or the share that is met"),
    whole("trained", "Trained near", "8", {1, 65536},
          "the length in the table that is nearest to it is shown",
          {.travel = Travel::log, .unit = "tokens"}),
});

/// Of one variant at one length, over its seeds.
struct Spread {
  double mean = NAN, deviation = 0;
  std::size_t seeds = 0;
};

struct Drawn {
  SweepTable table;  ///< of one trained length
  bool losses;
  std::vector<std::string> variants;
  std::vector<double> lengths;

  double measure(const SweepRow& row) const { return losses ? row.loss : row.accuracy; }
  Spread spread(std::string_view variant, double length) const {
    const std::vector<SweepRow> rows = table.of(variant, length);
    Spread all{.seeds = rows.size()};
    if (rows.empty()) return all;
    double sum = 0, squares = 0;
    for (const SweepRow& row : rows) sum += measure(row);
    all.mean = sum / number(rows.size());
    for (const SweepRow& row : rows) squares += (measure(row) - all.mean) * (measure(row) - all.mean);
    if (rows.size() > 1) all.deviation = std::sqrt(squares / (number(rows.size()) - 1));
    return all;
  }
  /// The mean over all rows of one length that have one.
  double floor(double length) const {
    double sum = 0, count = 0;
    for (const SweepRow& row : table.rows)
      if (row.length == length && !std::isnan(row.floor)) sum += row.floor, ++count;
    return sum / count;
  }
  double trained() const { return table.rows.front().trained; }
};

Drawn drawn_of(const Settings& settings) {
  const std::string& path = settings.file("table");
  constexpr std::uint64_t longest = 1 << 26;
  const SweepTable all = path.empty() ? shipped_sweep() : sweep_table(file::read_bytes(path, longest), path);
  Drawn drawn{all.trained_near(settings.real("trained")), settings.choice("measure") == "loss", {}, {}};
  drawn.variants = drawn.table.variants();
  drawn.lengths = drawn.table.lengths();
  return drawn;
}

constexpr const char* floor_name = "the least that can be";

Series means_of(const Drawn& drawn) {
  Series means("means", {"length", "tokens", drawn.lengths});
  for (const std::string& variant : drawn.variants)
    means.add(variant, [&](double length) { return drawn.spread(variant, length).mean; });
  if (drawn.losses) means.add(floor_name, [&](double length) { return drawn.floor(length); });
  return means;
}

Table seeds_table(const Drawn& drawn) {
  Table table{"seeds",
              {{.name = "variant"},
               {.name = "seed"},
               {.name = "length", .unit = "tokens"},
               {.name = "loss"},
               {.name = "accuracy"},
               {.name = "floor"}}};
  for (const SweepRow& row : drawn.table.rows)
    add_row(table, row.variant, row.seed, row.length, row.loss, row.accuracy, row.floor);
  return table;
}

figure::ErrorBars seeds_of(const Drawn& drawn, const std::string& variant, Ink ink) {
  figure::ErrorBars bars{.x = {}, .y = {}, .ink = ink, .reading = {.none = true}};
  for (const double length : drawn.lengths) {
    const Spread spread = drawn.spread(variant, length);
    if (std::isnan(spread.mean)) continue;
    bars.x.push_back(length);
    bars.y.push_back(spread.mean);
    bars.dy.below.push_back(spread.deviation);
    bars.dy.above.push_back(spread.deviation);
  }
  return bars;
}

Panel panel_of(const Drawn& drawn, const Series& means) {
  Panel panel{.x = octaves("length $n$ that is asked"),
              .y = drawn.losses ? values("loss") : values("accuracy", Range{0, 1.08}),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(
      Rule{.at = drawn.trained(), .ink = ink(Role::accent), .dash = Dash::dotted, .text = "trained to here"});
  int color = 0;
  for (const std::string& variant : drawn.variants) {
    const Ink own = series(color++);
    panel.marks.emplace_back(seeds_of(drawn, variant, own));
    panel.marks.push_back(means.line(variant, {.ink = own, .label = as_typed(variant)}));
    panel.marks.push_back(means.points(variant, {.ink = own, .reading = {.none = true}}));
  }
  if (drawn.losses && !std::isnan(drawn.floor(drawn.lengths.front())))
    panel.marks.push_back(
        means.line(floor_name, {.ink = ink(Role::secondary), .dash = Dash::dashed, .label = floor_name}));
  return panel;
}

/// The variants that have a number at the longest length.
std::vector<std::string> compared(const Drawn& drawn) {
  std::vector<std::string> some;
  for (const std::string& variant : drawn.variants)
    if (!std::isnan(drawn.spread(variant, drawn.lengths.back()).mean)) some.push_back(variant);
  return some;
}

/// At the longest length, of the variants there; what differs is said in as many digits as that takes.
std::string title_of(const Drawn& drawn) {
  const double longest = drawn.lengths.back();
  const std::vector<std::string> some = compared(drawn);
  const std::string begin = "Trained up to " + rounded_text(drawn.trained(), 6) + " tokens, asked up to " +
                            rounded_text(longest, 6);
  if (some.empty()) return begin;
  const auto mean = [&](const std::string& variant) { return drawn.spread(variant, longest).mean; };
  const std::string &least = *std::ranges::min_element(some, {}, mean),
                    &most = *std::ranges::max_element(some, {}, mean);
  const Spread low = drawn.spread(least, longest), high = drawn.spread(most, longest);
  constexpr int fewest_digits = 3, most_digits = 6;
  const std::string there = begin + ": there the " + (drawn.losses ? "loss" : "accuracy");
  if (some.size() == 1)
    return there + " with " + as_typed(least) + " is " + rounded_text(low.mean, fewest_digits);
  int digits = fewest_digits;
  const auto alike = [&] { return rounded_text(low.mean, digits) == rounded_text(high.mean, digits); };
  while (digits < most_digits && alike()) ++digits;
  if (alike()) return there + " is alike with all variants, " + rounded_text(low.mean, fewest_digits);
  const std::string from = rounded_text(low.mean, digits), to = rounded_text(high.mean, digits);
  if (high.mean - low.mean <= std::max(low.deviation, high.deviation))
    return there + " is alike within the spread between seeds, from " + from + " to " + to;
  return there + " is least with " + as_typed(least) + ", " + from + ", and most with " + as_typed(most) +
         ", " + to;
}

/// The best that can be known says of a text that it is e^{k(ℓ − f)} times as likely as the model does, and that factor is 1 on
/// the mean: that it is below δ has the probability δ at most (Markov's inequality). Here δ = 10⁻⁹ for each of the rows.
Check floor_holds(const Drawn& drawn) {
  const double unlikely = std::log(1e9);
  Worst below;
  for (const SweepRow& row : drawn.table.rows)
    if (!std::isnan(row.loss))
      below.meet(((std::isnan(row.floor) ? 0 : row.floor) - row.loss) * row.length * row.sequences);
  return {
      "no model knows more than can be known, but by chance: how far the loss of all tokens is below its floor",
      below, unlikely};
}

std::string worked_of(const Drawn& drawn) {
  const std::vector<std::string> some = compared(drawn);
  if (some.empty()) return {};
  std::vector<Term> terms;
  for (const SweepRow& row : drawn.table.of(some.front(), drawn.lengths.back()))
    terms.emplace_back(drawn.measure(row));
  const double mean = drawn.spread(some.front(), drawn.lengths.back()).mean;
  return Worked().add("\\bar m", worked::frac(worked::sum(terms), number(terms.size())), mean).tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Drawn drawn = drawn_of(settings);
  const Series means = means_of(drawn);
  Picture picture(
      title_of(drawn),
      "Means over seeds of models that were trained alike but for their variant, by the length that they are "
      "asked; bars are one standard deviation between seeds.");
  picture.at({0, 0}, "lengths", panel_of(drawn, means));
  return {std::move(picture).whole({.aspect = 1.5}),
          {means.table(), seeds_table(drawn)},
          {floor_holds(drawn)},
          worked_of(drawn)};
}

constexpr auto tries = std::to_array<Try>({
    {"The same models by what they get right: of words of 16 tokens ALiBi copies most.", "measure=accuracy",
     [](auto& now, auto&) {
       return at(now, "means", "alibi", 16) > at(now, "means", "learned", 16) &&
              at(now, "means", "alibi", 16) > at(now, "means", "rope", 16);
     }},
    {"Trained on shorter words: the loss of words of 8 tokens is higher with all three.", "trained=4",
     [](auto& now, auto& before) {
       return std::ranges::all_of(std::array{"learned", "rope", "alibi"}, [&](const char* variant) {
         return at(now, "means", variant, 8) > at(before, "means", variant, 8);
       });
     }},
    {"What was trained and twice of it: RoPE copies nine tenths of 4 tokens and less than a third of 8.",
     "measure=accuracy trained=4",
     [](auto& now, auto&) {
       return at(now, "means", "rope", 4) > 0.9 && at(now, "means", "rope", 8) < 1.0 / 3;
     }},
});

}  // namespace

extern const Study study{
    .id = "training/sweep",
    .title = "A sweep",
    .topic = "Training",
    .summary =
        "many trainings as one figure: variants by the length that they are asked, with their spread over seeds",
    .formula =
        R"(\bar m = \frac{1}{S} \sum_{s=1}^{S} m_s, \quad \sigma = \sqrt{\frac{1}{S - 1} \sum_{s=1}^{S} (m_s - \bar m)^2})",
    .about =
        "orrery sweep trains each variant at each length with each seed, on one machine or on a cluster, and orrery sweep "
        "--collect makes the table that is drawn here, and this figure of it. One training says little: two seeds of one "
        "variant may differ by more than two variants. What came with the program are small decoders that learned to copy "
        "words of up to 4 or 8 tokens and are asked for longer ones. Where the least possible loss is known, it is the "
        "dashed line: of copies it is 0.",
    .source = "Press, Smith, Lewis 2022, arXiv 2108.12409",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::training_sweep
