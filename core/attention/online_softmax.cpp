#include "core/attention/online_softmax.h"

#include <algorithm>
#include <cmath>

namespace orrery::attention {

using tensor::Index;

double online_correction(double old, double max) {
  return old == max ? 1 : std::exp(old - max);
}

std::vector<double> OnlineSoftmax::result() const {
  std::vector<double> mean = output;
  for (double& x : mean) x = sum > 0 ? x / sum : 0;
  return mean;
}

double OnlineSoftmax::log_sum_exp() const {
  return max + std::log(sum);
}

OnlineSoftmax online_softmax(std::span<const double> scores, tensor::View<const double> values) {
  OnlineSoftmax part;
  part.output.assign(static_cast<std::size_t>(values.cols), 0);
  for (const double s : scores) part.max = std::max(part.max, s);
  if (part.max == -std::numeric_limits<double>::infinity()) return part;
  for (std::size_t n = 0; n < scores.size(); ++n) {
    const double weight = std::exp(scores[n] - part.max);
    part.sum += weight;
    if (weight == 0) continue;  // what the mask hides is not read
    const std::span<const double> v = values.row(static_cast<Index>(n));
    for (std::size_t j = 0; j < v.size(); ++j) part.output[j] += weight * v[j];
  }
  return part;
}

OnlineSoftmax merged(const OnlineSoftmax& a, const OnlineSoftmax& b) {
  OnlineSoftmax both{.max = std::max(a.max, b.max), .sum = 0, .output = a.output};
  const double of_a = online_correction(a.max, both.max), of_b = online_correction(b.max, both.max);
  both.sum = of_a * a.sum + of_b * b.sum;
  both.output.resize(std::max(a.output.size(), b.output.size()), 0);
  for (double& x : both.output) x *= of_a;
  for (std::size_t j = 0; j < b.output.size(); ++j) both.output[j] += of_b * b.output[j];
  return both;
}

double standard_attention_traffic(double tokens, double width) {
  return 4 * tokens * tokens + 4 * tokens * width;
}

double attention_tile(double width, double fast_memory) {
  return std::ceil(fast_memory / (4 * width));
}

double tiled_attention_traffic(double tokens, double width, double fast_memory) {
  const double tiles = std::ceil(tokens / attention_tile(width, fast_memory));
  return 2 * tokens * width + tiles * (3 * tokens * width + 4 * tokens);
}

}  // namespace orrery::attention
