#include "app/study/rope/score_curves.h"

#include <cmath>
#include <utility>

#include "app/study/text.h"

namespace orrery::study {

using parameter::Settings;
using position::RopeLayout;
using position::RopeRule;
using position::RopeType;
using twin::Matrix;

namespace {

constexpr double paper_base = 10000;
constexpr int curve_samples = 900;  // more than the columns of a figure on a screen

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

std::vector<double> distances_by_octave(double trained_length) {
  std::vector<double> r;
  const double octaves = std::log2(2 * trained_length);
  for (int i = 0; i < curve_samples; ++i) r.push_back(std::exp2(octaves * i / (curve_samples - 1)));
  r.back() = 2 * trained_length;
  return r;
}

std::vector<ScoreCurve> score_curves(const Settings& settings, const Run& run, const Matrix& row,
                                     const std::vector<double>& r) {
  const RopeRule rule = chosen_rule(settings);
  std::vector<ScoreCurve> curves;
  const auto add = [&](std::string role, std::string label, const RopeRule& each) {
    run.check();
    const Matrix s = normalised_scores(run, turning_of(settings, each), row, r, 0);
    curves.push_back({std::move(role), std::move(label), {s.data(), s.data() + s.size()}});
  };
  RopeRule plain = rule;
  plain.type = RopeType::standard;
  const std::string base = "base " + grouped(rule.base);
  if (rule.base != paper_base) {
    RopeRule paper = plain;
    paper.base = paper_base;
    add("paper", "base " + grouped(paper_base), paper);
  }
  add(rule.type == RopeType::standard ? "chosen" : "plain", base, plain);
  if (rule.type != RopeType::standard)
    add("chosen", base + ", " + settings.choice("frequencies") + " × " + grouped(rule.factor), rule);
  return curves;
}

figure::Panel score_panel(const Settings& settings, const std::vector<double>& r,
                          const std::vector<ScoreCurve>& curves, double score_here) {
  const double trained = static_cast<double>(settings.integer("trained_length"));
  const double position = settings.real("position");
  figure::Panel panel;
  panel.x = {.label = "distance $m - n$",
             .scale = figure::Scale::log(2),
             .range = figure::Range{1, 2 * trained},
             .ticks = figure::TickHint::powers_of_two};
  panel.y = {.label = "score / $|q|^2$", .grid = true};
  panel.legend = figure::LegendPlace::best;

  figure::Rule unseen{.at = trained, .to = 2 * trained, .ink = {figure::Role::accent_ground, 0, 1}};
  figure::Rule edge{.at = trained, .ink = {figure::Role::accent, 0, 1}};
  edge.text = "trained length " + grouped(trained);
  panel.marks = {unseen, edge};
  for (std::size_t i = 0; i < curves.size(); ++i)
    panel.marks.push_back(figure::Line{.x = r,
                                       .y = curves[i].score,
                                       .ink = figure::series(static_cast<int>(i)),
                                       .width = 0.8,
                                       .label = curves[i].label,
                                       .dash_by_series = false,
                                       .reading = {.role = curves[i].role}});
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

figure::Table score_table(const std::vector<double>& r, const std::vector<ScoreCurve>& curves) {
  figure::Table table{"scores", {{.name = "distance", .unit = "tokens", .values = r}}};
  for (const ScoreCurve& curve : curves)
    table.columns.push_back({.name = curve.label, .unit = {}, .values = curve.score});
  return table;
}

}  // namespace orrery::study
