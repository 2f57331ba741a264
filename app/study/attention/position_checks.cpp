#include "app/study/attention/position_checks.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/study/attention/attend.h"
#include "app/study/kit/checks.h"
#include "app/study/kit/numbers.h"
#include "core/position/xpos.h"
#include "core/tensor/random.h"

namespace orrery::study::attention_scores {

using parameter::Settings;
using tensor::Index;
using twin::Matrix;

namespace {

struct Turned {
  const Settings& settings;
  const Run& run;
  Index length, width;
};

/// One vector for all, turned by RoPE, by xPos scaled as well: a score may depend on m − n only.
Check offset_check(const Turned& asked) {
  const Index length = asked.length, width = asked.width;
  const Matrix one = twin::rounded(tensor::Random(7).normals(1, width));
  const Matrix all = one.replicate(length, 1);
  const Vectors v = turned(asked.run, {all, all}, asked.settings);
  asked.run.check();
  const double scale = scale_of(asked.settings, width);
  const Matrix s = twin::scores(asked.run, v.q, v.k, {.scale = scale, .mask = {}});
  Worst worst;
  for (Index m = 1; m < length; ++m)
    for (Index n = 1; n < length; ++n) {
      const double along = n <= m ? s(m - n, 0) : s(0, n - m);
      worst.meet(std::abs(s(m, n) - along));
    }
  // Two scores differ. Each is of two vectors whose angles are rounded in double: at most the fastest pair's.
  const position::RopeFrequencies rope = frequencies_of(asked.settings, width);
  const double angles = 2 * number(length) * std::ranges::max(rope.inv_freq) * 0x1p-53;
  // xPos makes a pair of a query and a key that far behind it at most ζ_0^(−T/B) times as large, B = 512.
  const bool xpos = asked.settings.choice("positions") == "xpos";
  const double grown =
      xpos ? std::pow(position::xpos_scales(width / 2, {}).front(), -number(length) / 512)
           : rope.attention_factor * rope.attention_factor;  // of a rule that makes both vectors longer
  const double bound =
      2 * (twin::turned_score_slack(asked.run, width) + angles) * grown * scale * one.squaredNorm();
  return {xpos ? "xPos: the score of equal vectors depends on $m - n$ only"
               : "RoPE: the score of equal vectors depends on $m - n$ only",
          worst, bound};
}

/// θ_i of the rules that have one formula for all pairs; nothing for the others.
std::optional<double> theta_by_formula(const Settings& settings, double width, double pair) {
  const std::string& rule = settings.choice("rule");
  const double base = settings.real("base"), factor = settings.real("factor"), power = -2 * pair / width;
  if (rule == "linear") return std::pow(base, power) / factor;
  if (rule == "ntk") return std::pow(base * std::pow(factor, width / (width - 2)), power);
  return std::nullopt;
}

/// One vector for all, turned as the rule has it: the sum over pairs of |x_i|² cos rθ_i.
std::optional<Check> rule_check(const Turned& asked) {
  const Index length = asked.length, width = asked.width;
  if (asked.settings.choice("positions") != "rope" || !theta_by_formula(asked.settings, number(width), 0))
    return std::nullopt;
  const Matrix one = twin::rounded(tensor::Random(7).normals(1, width));
  const Matrix all = one.replicate(length, 1);
  const Vectors v = turned(asked.run, {all, all}, asked.settings);
  const Matrix products = twin::scores(asked.run, v.q, v.k, {.scale = 1, .mask = {}});
  Worst worst;
  for (Index r = 0; r < length; ++r) {
    double sum = 0;
    for (Index i = 0; i < width / 2; ++i) {
      const double a = one(0, i), b = one(0, i + width / 2);
      sum +=
          (a * a + b * b) * std::cos(number(r) * *theta_by_formula(asked.settings, number(width), number(i)));
    }
    worst.meet(std::abs(products(r, 0) - sum));
  }
  // Frequencies on both sides are powers in double, whose exponents are rounded: an angle is off by some of its last places.
  constexpr double last_places = 8;
  const double angles = last_places * number(length) * 0x1p-53;
  return Check{
      "the product of equal vectors is $\\sum_i |x_i|^2 \\cos r\\theta_i$, $\\theta_i$ by the rule's formula",
      worst, (twin::turned_score_slack(asked.run, width) + angles) * one.squaredNorm()};
}

/// One vector for all: at the distance that Self-Extend shows a model, RoPE alone has the same product.
Check seen_distance_check(const Turned& asked) {
  const Index length = asked.length, width = asked.width;
  const Matrix one = twin::rounded(tensor::Random(7).normals(1, width));
  ScoreContent content;
  content.q = content.k = one.replicate(length, 1);
  const Meeting meeting = meeting_of(asked.settings, asked.run, content);
  const auto products = [&](const Vectors& v) {
    return twin::scores(asked.run, v.q, v.k, {.scale = 1, .mask = {}});
  };
  const Matrix s = meeting.merged(products), near = products(meeting.near);
  const position::SelfExtendParams params = self_extend_of(asked.settings);
  Worst worst;
  for (Index m = 0; m < length; ++m)
    for (Index n = 0; n <= m; ++n)
      worst.meet(
          std::abs(s(m, n) - near(static_cast<Index>(position::self_extend_distance(m, n, params)), 0)));
  const position::RopeFrequencies rope = frequencies_of(asked.settings, width);
  const double angles = 2 * number(length) * std::ranges::max(rope.inv_freq) * 0x1p-53;
  return {"Self-Extend: the product of equal vectors is RoPE's at the distance that a model sees", worst,
          2 * (twin::turned_score_slack(asked.run, width) + angles) * one.squaredNorm()};
}

}  // namespace

std::vector<Check> position_checks(const Settings& settings, const Run& run, Index length, Index width) {
  const Turned asked{settings, run, length, width};
  std::vector<Check> all;
  if (!turns(settings)) return all;
  if (settings.choice("positions") == "self_extend") return {seen_distance_check(asked)};
  all.push_back(offset_check(asked));
  if (auto check = rule_check(asked)) all.push_back(std::move(*check));
  return all;
}

}  // namespace orrery::study::attention_scores
