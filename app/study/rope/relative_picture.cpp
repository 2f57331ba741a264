#include "app/study/rope/relative_picture.h"

namespace orrery::study {
namespace {

/// Level from each x to the next, and the last one over an octave.
void stairs(std::vector<double>& x, std::initializer_list<std::vector<double>*> heights) {
  const std::vector<double> starts = x;
  const auto twice = [](const std::vector<double>& values) {
    std::vector<double> made;
    for (const double each : values) made.insert(made.end(), {each, each});
    return made;
  };
  x.clear();
  for (const double each : starts) x.insert(x.end(), {each, 2 * each});
  for (std::vector<double>* each : heights) *each = twice(*each);
}

Axis octave_axis(double last) {
  Axis axis = octaves("position of the key $n$", Range{1, last});
  axis.group = 1;
  return axis;
}

/// Where whole numbers end to be exact, for every format that holds the positions themselves.
void add_thresholds(Panel& panel, const std::vector<MovedScores>& all) {
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    const MovedScores& each = all[static_cast<std::size_t>(i)];
    const int bits = tensor::info(each.positions).precision;
    if (each.positions != each.format || std::exp2(bits) >= panel.x.range->hi) continue;
    panel.marks.push_back(Rule{.at = std::exp2(bits),
                               .ink = series(i),
                               .text = each.name + " exact to $2^{" + std::to_string(bits) + "}$"});
  }
}

}  // namespace

Series octave_series(const MovedScores& scores, double last) {
  const auto &n = scores.series.x(), &score = scores.series["score"], &error = scores.series["|error|"];
  std::vector<double> starts, lowest, highest, worst;
  for (double start = 1; start < last; start *= 2) {
    double least = std::numeric_limits<double>::infinity(), most = -least, off = 0;
    for (std::size_t i = 0; i < n.size(); ++i) {
      if (n[i] < start || (n[i] >= 2 * start && n[i] < last) || n[i] > 2 * start) continue;
      least = std::min(least, score[i]);
      most = std::max(most, score[i]);
      off = std::max(off, error[i]);
    }
    if (least > most) continue;
    starts.push_back(start);
    lowest.push_back(least);
    highest.push_back(most);
    worst.push_back(off);
  }
  Series octaves("octaves_" + scores.name, {"from position", "tokens", starts});
  octaves.add({.name = "lowest score", .values = std::move(lowest), .digits = 8});
  octaves.add({.name = "highest score", .values = std::move(highest), .digits = 8});
  octaves.add("largest error", std::move(worst));
  return octaves;
}

Panel moved_score_panel(const std::vector<MovedScores>& all, const std::vector<Series>& octaves, double last,
                        double distance, bool keyed) {
  Panel panel{.title = "Score at distance " + grouped(distance) + ", lowest to highest",
              .x = octave_axis(last),
              .y = values("score / $|q||k|$"),
              .legend = keyed ? LegendPlace::above : LegendPlace::none,  // else the errors below say it
              .series_group = 1};
  for (int i = static_cast<int>(all.size()); i-- > 0;) {  // the roughest below, the exact one on top
    const auto& [format, positions, name, label, moved] = all[static_cast<std::size_t>(i)];
    const Series& of = octaves[static_cast<std::size_t>(i)];
    const auto edge = [&](const char* which) {
      return of.line(which, {.ink = series(i), .width = 0.7, .reading = {.name = name + ", " + which}});
    };
    Band band = of.band("lowest score", "highest score", {.ink = series(i)});
    Line lowest = edge("lowest score"), highest = edge("highest score");
    stairs(band.x, {&band.lo, &band.hi});
    stairs(lowest.x, {&lowest.y});
    stairs(highest.x, {&highest.y});
    if (keyed) highest.label = label;
    panel.marks.push_back(std::move(band));
    panel.marks.push_back(std::move(lowest));
    panel.marks.push_back(std::move(highest));
  }
  return panel;
}

Panel moved_error_panel(const std::vector<MovedScores>& all, const std::vector<Series>& octaves,
                        double last) {
  Panel panel{.title = "How far it is from its exact value",
              .x = octave_axis(last),
              .y = values("largest |error|", Range{1e-18, 4}),
              .legend = LegendPlace::above,
              .series_group = 1};
  panel.y.scale = Scale::log(10);
  const std::size_t empty = panel.marks.size();
  add_thresholds(panel, all);
  if (panel.marks.size() > empty) panel.y.range->hi = 1e4;  // room for what the marks say
  bool exact = false;
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    const MovedScores& each = all[static_cast<std::size_t>(i)];
    Line line = octaves[static_cast<std::size_t>(i)].line(
        "largest error",
        {.ink = series(i), .width = 1.2, .label = each.label, .reading = {.role = each.name}});
    exact = exact || std::ranges::count(line.y, 0.0) > 0;
    stairs(line.x, {&line.y});
    panel.marks.push_back(std::move(line));
  }
  if (exact)
    panel.marks.push_back(Inset{.text = "error 0: no line", .ink = ink(Role::secondary), .frame = false});
  return panel;
}

}  // namespace orrery::study
