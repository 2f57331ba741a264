#include "app/study/output/loss.h"

namespace orrery::study::output {

namespace {

constexpr double step = 1e-3;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

Loss::Loss(const Matrix& logits, Index t, double epsilon)
    : target(t), smoothing(epsilon), logit(logits(0, t)), words_(number(logits.cols())), others_(-infinity) {
  double largest = -infinity, sum = 0;
  for (Index v = 0; v < logits.cols(); ++v)
    if (v != t) largest = std::max(largest, logits(0, v));
  for (Index v = 0; v < logits.cols(); ++v) {
    if (v == t) continue;
    sum += std::exp(logits(0, v) - largest);
    sum_of_others_ += logits(0, v);
  }
  if (sum > 0) others_ = largest + std::log(sum);
  cross_entropy = log_sum(logit) - logit;
  probability = std::exp(-cross_entropy);
  smoothed = at(logit);
}

double Loss::log_sum(double x) const {
  const double larger = std::max(x, others_);
  return larger + std::log1p(std::exp(std::min(x, others_) - larger));
}

double Loss::at(double x) const {
  if (std::isinf(x)) return 0;
  // No loss is below 0: what is there, with one word alone, is a rounding.
  return std::max(0.0, log_sum(x) - (1 - smoothing) * x - smoothing / words_ * (x + sum_of_others_));
}

double Loss::best_logit() const {
  const double best = 1 - smoothing + smoothing / words_;
  return best < 1 ? others_ + std::log(best / (1 - best)) : infinity;
}

double Loss::slope_at_least() const {
  const double x = best_logit();
  return (at(x + step) - at(x - step)) / (2 * step);
}

/// The third derivative of ln(1 + e^x) is at most √3/18, a sixth of which times the step's square is left over; the
/// difference of two losses loses a few roundings of what they are made of.
double Loss::slope_slack() const {
  const double sizes = std::abs(best_logit()) + std::abs(others_) + std::abs(sum_of_others_) + 4;
  return step * step * std::sqrt(3.0) / 108 + 8 * 0x1p-53 * sizes / step;
}

Series Loss::curve() const {
  const double best = std::isinf(best_logit()) ? others_ : best_logit();
  const double centre = std::isinf(best) ? logit : best;
  const double from = std::min(logit, centre - 4) - 1, to = std::max(logit, centre + 4) + 1;
  constexpr int samples = 161;
  std::vector<double> x;
  for (int i = 0; i < samples; ++i) x.push_back(from + (to - from) * i / (samples - 1));
  Series curve("loss", {.name = "logit of the target", .values = std::move(x)});
  curve.add("cross-entropy", [&](double at_logit) { return log_sum(at_logit) - at_logit; });
  curve.add("smoothed", [&](double at_logit) { return at(at_logit); });
  return curve;
}

Panel loss_panel(const Loss& loss, const Series& curve, const Vocabulary& vocabulary) {
  Panel panel{.title = "Loss of “" + vocabulary.as_names()[static_cast<std::size_t>(loss.target)] + "”",
              .x = {.label = "its logit", .range = Range{curve.x().front(), curve.x().back()}},
              .y = values("loss / nat"),
              .marks = {curve.line("cross-entropy", {.ink = series(0), .label = "cross-entropy"}),
                        curve.line("smoothed", {.ink = series(1), .label = "with smoothed labels"})},
              .legend = LegendPlace::best};
  constexpr double least_height = 0.1;  // of the axis, in nat: a loss of one word alone is 0 everywhere
  if (std::max(largest(curve["cross-entropy"]), largest(curve["smoothed"])) < least_height)
    panel.y.range = Range{0, least_height};
  panel.marks.emplace_back(Points{.x = {loss.logit, loss.logit},
                                  .y = {loss.cross_entropy, loss.smoothed},
                                  .ink = ink(Role::accent),
                                  .radius = 3,
                                  .symbol_by_series = false,
                                  .reading = {.name = "here"}});
  if (std::isfinite(loss.best_logit()))
    panel.marks.emplace_back(Rule{.at = loss.best_logit(),
                                  .ink = series(1),  // of the smoothed curve
                                  .dash = Dash::dotted,
                                  .text = "least"});
  return panel;
}

}  // namespace orrery::study::output
