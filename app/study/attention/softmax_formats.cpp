#include "app/study/attention/softmax_formats.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/precision.h"

namespace orrery::study {
namespace {

using tensor::Format;
using tensor::Rounding;

constexpr double infinity = std::numeric_limits<double>::infinity();

double least(Format format) {
  return -tensor::info(format).max;
}

/// Where `holds` ends, as far as doubles tell: it holds at `low`, and not at `high`.
double end_of(double low, double high, auto&& holds) {
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

const std::array<HiddenBy, 5> ways_to_hide{{
    {"$-\\infty$", [](Format) { return -infinity; }},
    {"least finite number", least},
    {"that one twice", [](Format f) { return tensor::round_to(f, 2 * least(f)); }},
    {"$-10^9$", [](Format f) { return tensor::round_to(f, -1e9); }},
    {"$-10^4$", [](Format f) { return tensor::round_to(f, -1e4); }},
}};

std::vector<double> softmax_in(Format format, const std::vector<double>& x, RowMaximum maximum) {
  const Rounding kept(format);
  std::vector<double> weights;
  double top = -infinity, sum = 0;
  for (const double each : x) top = std::max(top, kept(each));
  for (const double each : x) {
    const double from = maximum == RowMaximum::taken_off ? kept(kept(each) - top) : kept(each);
    weights.push_back(kept(std::exp(from)));
    sum = kept(sum + weights.back());
  }
  for (double& weight : weights) weight = kept(weight / sum);
  return weights;
}

double largest_weight_of_hidden(Format format, const std::vector<double>& scores, const HiddenBy& way,
                                double temperature) {
  const Rounding kept(format);
  std::vector<double> hidden;
  for (const double score : scores)
    hidden.push_back(kept(kept(kept(score) + way.value(format)) / temperature));
  const std::vector<double> weights = softmax_in(format, hidden, RowMaximum::taken_off);
  if (std::ranges::any_of(weights, [](double w) { return std::isnan(w); })) return std::nan("");
  return *std::ranges::max_element(weights);
}

double largest_exponent(Format format) {
  return end_of(0, 1000, [&](double x) { return std::isfinite(tensor::round_to(format, std::exp(x))); });
}
double least_exponent(Format format) {
  return -end_of(0, 1000, [&](double x) { return tensor::round_to(format, std::exp(-x)) > 0; });
}

}  // namespace orrery::study
