#include "app/study/norm/precision_picture.h"

#include "app/study/kit.h"

namespace orrery::study::norm_precision {
namespace {

constexpr Index shown_components = 64;

std::string said(double x) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x < 0 ? "−∞" : "∞";
  return short_text(x, 5);
}

bool far_off(const Stage& stage) {
  return !(std::abs(stage.is - stage.exact) <= 0.05 * std::abs(stage.exact));
}

}  // namespace

Panel stages_panel(const std::vector<Stage>& stages) {
  Panel panel{.title = "Stage by stage",
              .x = {.range = Range{0, 1}, .visible = false},
              .y = {.range = Range{-number(stages.size()) - 0.6, 0.6}, .visible = false},
              .legend = LegendPlace::none};
  const auto write = [&](double x, double line, std::string text, HAlign h, Ink of, bool numbers) {
    panel.marks.emplace_back(
        Note{.x = x, .y = -line, .text = std::move(text), .ink = of, .h = h, .numbers = numbers});
  };
  write(0.66, 0, "in double", HAlign::right, ink(Role::secondary), false);
  write(0.95, 0, "as set", HAlign::right, ink(Role::secondary), false);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const double line = number(i + 1);
    write(0, line, stages[i].name, HAlign::left, ink(Role::text), false);
    write(0.66, line, said(stages[i].exact), HAlign::right, ink(Role::secondary), true);
    write(0.95, line, said(stages[i].is), HAlign::right, ink(far_off(stages[i]) ? Role::fails : Role::text),
          true);
  }
  return panel;
}

Panel sum_panel(const std::vector<Series>& sums, std::size_t width, const tensor::Precision& precision) {
  Panel panel{.title = "The sum of squares as it grows",
              .x = octaves("squares summed", Range{1, std::max(2.0, number(width))}),
              .y = {.label = "sum", .scale = Scale::log(10), .grid = true},
              .legend = LegendPlace::above};
  if (sums[0].size() > 0)
    panel.marks.emplace_back(sums[0].line(
        "sum", {.ink = ink(Role::secondary), .width = 0.8, .dash = Dash::dashed, .label = "in double"}));
  if (sums[1].size() > 0)
    panel.marks.emplace_back(
        sums[1].line("sum", {.ink = series(1), .width = 1.3, .label = "as set", .dash_by_series = false}));
  if (precision.accumulate == tensor::Format::f16)
    panel.marks.emplace_back(quiet_level(65504, "65504: the largest of f16"));
  return panel;
}

Panel frontier_panel(const std::vector<Series>& frontier, double size, double width) {
  Panel panel{.title = "Sizes that are safe, by width",
              .x = octaves("width $D$"),
              .y = {.label = "component size", .scale = Scale::log(10), .grid = true},
              .legend = LegendPlace::above};
  const auto drawn = [&](std::size_t which, Line look) {
    look.dash_by_series = false;
    if (frontier[which].size() > 0) panel.marks.emplace_back(frontier[which].line("size", std::move(look)));
  };
  drawn(0, {.ink = series(1), .width = 1.3, .label = "the sum overflows"});
  drawn(1, {.ink = series(1), .width = 0.8, .dash = Dash::dashed, .label = "an exact sum does"});
  drawn(2, {.ink = series(2), .dash = Dash::dotted, .label = "epsilon is half"});
  drawn(3, {.ink = series(0), .width = 1.3, .label = "squares vanish"});
  panel.marks.emplace_back(Points{
      .x = {width}, .y = {size}, .ink = ink(Role::accent), .radius = 2.6, .reading = {.name = "this row"}});
  return panel;
}

Panel cast_panel(const Series& errors, Index width) {
  const Series shown = errors.first(shown_components);
  Panel panel{.title = "Two orders of the cast",
              .x = counts("component $j$", Range{-0.75, number(std::min(width, shown_components)) - 0.25}),
              .y = values("relative error of $y_j$ / u"),
              .marks = {level(0, {.ink = ink(Role::outline), .dash = Dash::solid})},
              .legend = LegendPlace::above};
  const auto say = [&](const char* text) {
    panel.marks.emplace_back(Inset{.text = text, .ink = ink(Role::secondary), .frame = false});
  };
  if (shown.size() == 0) {
    say("every result is 0 or not finite");
    return panel;
  }
  const auto exact = [&](const char* order) {
    return std::ranges::all_of(shown[order], [](double error) { return error == 0; });
  };
  if (exact("llama") && exact("gemma")) say("no error in either");
  panel.marks.emplace_back(
      shown.points("llama", {.ink = series(0), .radius = 1.8, .label = "llama: before the gain"}));
  panel.marks.emplace_back(shown.points(
      "gemma", {.ink = series(1), .radius = 1.8, .symbol = Symbol::ring, .label = "gemma: after it"}));
  return panel;
}

Panel estimators_panel(const std::vector<Series>& errors, const tensor::Precision& precision) {
  const double loses_all = std::pow(tensor::info(precision.accumulate).unit_roundoff, -0.5);
  Panel panel{.title = "LayerNorm with a large mean",
              .x = {.label = "mean / deviation", .scale = Scale::log(10)},
              .y = {.label = "RMS error of $y$", .scale = Scale::log(10), .grid = true},
              .legend = LegendPlace::above};
  constexpr std::array names{"two passes", "Welford", "one pass"};
  constexpr std::array inks{0, 2, 1};
  double least = 1, most = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (errors[i].size() == 0) continue;
    for (const double error : errors[i]["RMS error"])
      if (error > 0 && std::isfinite(error)) least = std::min(least, error), most = std::max(most, error);
    panel.marks.emplace_back(errors[i].line("RMS error", {.ink = series(inks[i]), .label = names[i]}));
  }
  constexpr double words = 8;  // times the largest error: room for the rule's words above the lines
  if (most > 0) panel.y.range = Range{least / 1.5, words * most};
  panel.marks.emplace_back(
      figure::Rule{.at = loses_all, .ink = ink(Role::secondary), .dash = Dash::dotted, .text = "$u^{-1/2}$"});
  return panel;
}

}  // namespace orrery::study::norm_precision
