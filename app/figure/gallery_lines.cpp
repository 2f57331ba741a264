// Lines, points and what stands on a baseline.
#include <cmath>

#include "app/figure/gallery.h"
#include "app/figure/histogram.h"
#include "core/tensor/random.h"

namespace orrery::figure::exhibit {

namespace {

std::vector<double> even(double from, double to, int count) {
  std::vector<double> v;
  for (int i = 0; i < count; ++i) v.push_back(from + (to - from) * i / (count - 1));
  return v;
}

template <class F>
std::vector<double> of(const std::vector<double>& x, F f) {
  std::vector<double> y;
  for (const double v : x) y.push_back(f(v));
  return y;
}

std::vector<double> normals(std::uint64_t seed, int count, double mean, double deviation) {
  const auto drawn = tensor::Random(seed).normals(1, count);
  std::vector<double> v(drawn.data(), drawn.data() + count);
  for (double& x : v) x = mean + deviation * x;
  return v;
}

}  // namespace

Panel lines() {
  Panel panel;
  panel.x.label = "position $p$";
  panel.y = {.label = "$\\cos(\\theta_i p)$", .grid = true};
  const std::vector<double> p = even(0, 20, 300);
  for (int i = 0; i < 4; ++i) {
    const double speed = std::pow(10000.0, -i / 8.0);
    panel.marks.push_back(
        Line{.x = p,
             .y = of(p, [&](double v) { return std::exp(-i * v / 40) * std::cos(speed * v); }),
             .ink = series(i),
             .label = "$i = " + std::to_string(i) + "$"});
  }
  return panel;
}

Panel points() {
  Panel panel;
  panel.x.label = "位置 $m$";
  panel.y.label = "$x^{2}$";
  for (int i = 0; i < 6; ++i) {
    const std::vector<double> x = even(0.5 + i, 5 + i, 6);
    panel.marks.push_back(Points{.x = x,
                                 .y = of(x, [&](double v) { return v * v / 10 + i * 1.5; }),
                                 .ink = series(i),
                                 .radius = 2.4,
                                 .symbol = Symbol(i),
                                 .label = std::string(1, char('a' + i))});
  }
  return panel;
}

Panel steps() {
  Panel panel;
  panel.x = {.label = "step", .ticks = TickHint::integers};
  panel.y.label = "rate";
  const std::vector<double> x = even(0, 6, 7);
  int i = 0;
  for (const auto& [course, label] :
       {std::pair(Course::step_after, "after"), std::pair(Course::step_middle, "middle"),
        std::pair(Course::step_before, "before")}) {
    panel.marks.push_back(Line{.x = x,
                               .y = of(x, [&](double v) { return std::sqrt(v) + 0.9 * i; }),
                               .ink = series(i),
                               .label = label,
                               .course = course});
    ++i;
  }
  return panel;
}

Panel stems() {
  Panel panel;
  panel.x = {.label = "pair $i$", .ticks = TickHint::integers};
  panel.y.label = "$\\sin(\\theta_i)$";
  const std::vector<double> i = even(0, 15, 16);
  panel.marks = {Rule{.direction = Direction::horizontal,
                      .at = 0,
                      .ink = {Role::axis, 0, 1},
                      .width = 0.5,
                      .dash = Dash::solid},
                 Stems{.x = i, .y = of(i, [](double v) { return std::sin(v * 0.7) * std::exp(-v / 12); })}};
  return panel;
}

Panel error_bars() {
  Panel panel;
  panel.x = {.label = "width $d$", .scale = Scale::log(2)};
  panel.y = {.label = "loss", .grid = true};
  const std::vector<double> d{32, 64, 128, 256, 512}, loss{3.4, 3.05, 2.8, 2.62, 2.5};
  panel.marks = {
      ErrorBars{.x = d, .y = loss, .dy = {{0.2, 0.15, 0.12, 0.1, 0.06}, {0.35, 0.25, 0.15, 0.12, 0.1}}},
      Points{.x = d, .y = loss, .label = "measured"},
      ErrorBars{.x = {90, 400},
                .y = {3.6, 3.3},
                .dx = {{25, 90}, {}},
                .dy = {{0.12, 0.12}, {}},
                .ink = series(1),
                .label = "both ways"}};
  return panel;
}

Panel band() {
  Panel panel;
  panel.x.label = "distance $m - n$";
  panel.y.label = "score";
  const std::vector<double> x = even(0, 30, 200);
  const auto middle = [](double v) { return std::cos(v / 2) * std::exp(-v / 20); };
  panel.marks = {Band{.x = x,
                      .lo = of(x, [&](double v) { return middle(v) - 0.1 - v / 100; }),
                      .hi = of(x, [&](double v) { return middle(v) + 0.1 + v / 100; }),
                      .label = "spread"},
                 Line{.x = x, .y = of(x, middle), .label = "mean"}};
  return panel;
}

Panel bars() {
  Panel panel;
  panel.x = {.label = "head", .ticks = TickHint::integers};
  panel.y = {.label = "entropy, bits", .grid = true};
  const std::vector<double> heads = even(0, 7, 8);
  panel.marks = {Bars{.x = of(heads, [](double h) { return h - 0.2; }),
                      .height = {4, 3.1, 2.2, 3.6, 1.2, 2.8, 3.3, 0.9},
                      .width = 0.4,
                      .label = "before"},
                 Bars{.x = of(heads, [](double h) { return h + 0.2; }),
                      .height = {3.6, 2.4, 2.5, 2.9, 0.8, 2.1, 2.9, 1.4},
                      .width = 0.4,
                      .ink = series(1),
                      .label = "after"}};
  return panel;
}

Panel histograms() {
  Panel panel;
  panel.x.label = "component of $q$";
  panel.y.label = "density";
  const Bins as_density{.density = true};
  Histogram narrow = histogram(normals(1, 600, 0, 1), as_density),
            wide = histogram(normals(2, 600, 1.5, 1.6), as_density);
  narrow.label = "$\\sigma = 1$";
  wide.label = "$\\sigma = 1.6$";
  wide.ink = series(1);
  panel.marks = {std::move(wide), std::move(narrow)};
  return panel;
}

Panel rules() {
  Panel panel;
  panel.x.label = "position";
  panel.y.label = "perplexity";
  const std::vector<double> x = even(0, 16, 120);
  panel.marks = {
      Rule{.at = 8, .to = 16, .text = "unseen"},
      Rule{.direction = Direction::horizontal,
           .at = 4,
           .ink = {Role::secondary, 0, 1},
           .dash = Dash::dotted,
           .text = "chance"},
      Line{.x = x, .y = of(x, [](double v) { return 2 + std::exp(std::max(0.0, v - 8) / 4) / 2; })},
      Note{.x = 4, .y = 2.5, .text = "trained", .v = VAlign::bottom, .dy = -5}};
  return panel;
}

}  // namespace orrery::figure::exhibit
