#include "app/study/rope/score_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/study/kit/panels.h"
#include "app/study/rope/rules.h"
#include "app/study/text.h"
#include "core/position/rope_envelope.h"

namespace orrery::study {

using parameter::Settings;
using position::RopeLayout;
using position::RopeRule;
using position::RopeType;
using tensor::Index;
using twin::Matrix;

namespace {

constexpr double paper_base = 10000;
constexpr int stretches_drawn = 200;

}  // namespace

RopeRule chosen_rule(const Settings& settings) {
  RopeRule rule;
  rule.type = *position::rope_type_from_name(settings.choice("frequencies"));
  rule.rotary_dim = settings.integer("head_width");
  rule.base = settings.real("base");
  rule.factor = settings.real("factor");
  rule.original_length = static_cast<double>(settings.integer("trained_length"));
  return rule;
}

Turning turning_of(const Settings& settings, const RopeRule& rule) {
  const bool half = settings.choice("pairing") == "half";
  return {position::rope_frequencies(rule), half ? RopeLayout::half : RopeLayout::interleaved};
}

namespace {

/// Of the rules to be drawn, each with what it is called.
std::vector<std::pair<ScoreCurve, RopeRule>> rules_drawn(const Settings& settings) {
  const RopeRule rule = chosen_rule(settings);
  RopeRule plain = rule, paper = rule;
  plain.type = paper.type = RopeType::standard;
  paper.base = paper_base;
  const bool standard = rule.type == RopeType::standard;
  const std::string base = "base " + grouped(rule.base);
  std::vector<std::pair<ScoreCurve, RopeRule>> drawn;
  if (rule.base != paper_base) drawn.push_back({{"paper", "base " + grouped(paper_base)}, paper});
  drawn.push_back({{standard ? "chosen" : "plain", base}, plain});
  if (!standard)
    drawn.push_back(
        {{"chosen", base + ", " + settings.choice("frequencies") + " × " + grouped(rule.factor)}, rule});
  return drawn;
}

/// Where stretches begin that a page shows as one, and behind the last of them the end.
std::vector<Index> stretches(double last) {
  std::vector<Index> from;
  for (const double r : spread_distances(last, stretches_drawn))
    from.push_back(static_cast<Index>(std::lround(r)));
  const auto again = std::ranges::unique(from);
  from.erase(again.begin(), again.end());
  ++from.back();  // the last distance belongs to the stretch before it: alone it would stand beside means
  return from;
}

}  // namespace

ScoreCurves score_curves(const Settings& settings, const Run& run, const Matrix& row) {
  const std::vector<Index> from = stretches(2 * settings.real("trained_length"));
  ScoreCurves out{{}, Series("scores", {"distance", "tokens", {from.begin(), from.end() - 1}})};
  for (auto& [curve, rule] : rules_drawn(settings)) {
    const position::RopeFrequencies rope = position::rope_frequencies(rule);
    position::Envelope sums = position::similarity_envelope(rope.inv_freq, from, [&] { run.check(); });
    const double a = row.isZero(0) ? 0 : rope.attention_factor;
    const double scale = a * a / static_cast<double>(rope.inv_freq.size());
    for (std::vector<double>* column : {&sums.mean, &sums.lowest, &sums.highest})
      for (double& value : *column) value *= scale;
    out.by_distance.add(curve.label, std::move(sums.mean));
    out.by_distance.add(curve.lowest(), std::move(sums.lowest));
    out.by_distance.add(curve.highest(), std::move(sums.highest));
    out.curves.push_back(std::move(curve));
  }
  return out;
}

figure::Panel score_panel(const Settings& settings, const ScoreCurves& scores, double score_here) {
  const double trained = static_cast<double>(settings.integer("trained_length"));
  const double position = settings.real("position");
  figure::Panel panel{.title = "Score by distance: mean and range",
                      .x = octaves("distance $m - n$", figure::Range{1, 2 * trained}),
                      .y = values("score / $|q|^2$"),
                      .marks = trained_marks(trained, 2 * trained, "trained length " + grouped(trained))};
  const std::vector<double>& typed = settings.vector("vector");
  if (std::ranges::all_of(typed, [](double x) { return static_cast<float>(x) == 0; })) {
    panel.y.range = figure::Range{-1, 1};
    panel.marks.emplace_back(figure::Inset{
        .text = "a vector of zeros: $0/0$", .ink = {figure::Role::secondary, 0, 1}, .frame = false});
    return panel;
  }
  for (std::size_t i = 0; i < scores.curves.size(); ++i) {
    const ScoreCurve& curve = scores.curves[i];
    const figure::Ink own = figure::series(static_cast<int>(i));
    panel.marks.emplace_back(scores.by_distance.band(curve.lowest(), curve.highest(), {.ink = own}));
  }
  for (std::size_t i = 0; i < scores.curves.size(); ++i) {
    const ScoreCurve& curve = scores.curves[i];
    panel.marks.emplace_back(scores.by_distance.line(curve.label, {.ink = figure::series(static_cast<int>(i)),
                                                                   .width = 0.8,
                                                                   .label = curve.label,
                                                                   .reading = {.role = curve.role}}));
  }
  if (position >= 1 && position <= 2 * trained) {
    figure::Points here{{position}, {score_here}, {figure::Role::accent, 0, 1}, 2.4};
    here.reading.name = "at the position";
    panel.marks.push_back(std::move(here));
    figure::Handle handle{.x = position, .y = score_here, .parameter = "position"};
    handle.hint = "drag along the axis to move the query";
    panel.handles.push_back(handle);
  }
  return panel;
}

}  // namespace orrery::study
