#include "core/position/kerple.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;

namespace {

/// The value of a head, or the one of all.
double of_head(const std::vector<double>& values, Index h) {
  return values.size() == 1 ? values.front() : values[static_cast<std::size_t>(h)];
}

double bias_at(const KerpleParams& params, Index h, Index relative_position) {
  if (relative_position > 0 && params.direction == Direction::causal) {
    return -std::numeric_limits<double>::infinity();
  }
  const auto distance = static_cast<double>(std::abs(relative_position));
  const double r1 = of_head(params.r1, h), r2 = of_head(params.r2, h);
  if (distance == 0) return 0;
  return -r1 * (params.kernel == KerpleKernel::log ? std::log1p(r2 * distance) : std::pow(distance, r2));
}

/// bias(params, head, key − query) of every head and distance.
template <class Bias>
tensor::Matrix<double> values_by_distance(const KerpleParams& params, Index length, Bias bias) {
  check_kerple(params);
  tensor::Matrix<double> v(params.heads(), distances(length));
  for (Index h = 0; h < v.rows(); ++h) {
    for (Index j = 0; j < v.cols(); ++j) v(h, j) = bias(params, h, j - (length - 1));
  }
  return v;
}

}  // namespace

Index KerpleParams::heads() const {
  return static_cast<Index>(std::max(r1.size(), r2.size()));
}

void check_kerple(const KerpleParams& params) {
  const auto require = [](const char* name, const std::vector<double>& values, double most) {
    if (!values.empty() && std::ranges::all_of(values, [&](double v) { return v > 0 && v <= most; })) return;
    throw InvalidArgument(
        about(name).allowed("a value for each head, above 0 and up to {}", static_cast<Index>(most)));
  };
  require("r1", params.r1, 1e9);
  require("r2", params.r2, params.kernel == KerpleKernel::power ? 2 : 1e9);
  if (params.r1.size() != params.r2.size() && params.r1.size() != 1 && params.r2.size() != 1) {
    throw InvalidArgument(about("r2")
                              .found(params.r2.size())
                              .fault("found {} values", params.r2.size())
                              .allowed("{}, or {} as r1 has", 1, params.r1.size()));
  }
}

void kerple_ref(const KerpleParams& params, tensor::View<double> y) {
  check_kerple(params);
  const Index length = y.cols;
  for (Index r = 0; r < y.rows; ++r) {
    for (Index n = 0; n < length; ++n) y(r, n) = bias_at(params, r / length, n - r % length);
  }
}

tensor::Matrix<double> kerple_values(const KerpleParams& params, Index length) {
  return values_by_distance(params, length, bias_at);
}

tensor::Matrix<double> kerple_staged_values(const KerpleParams& params, Index length,
                                            const tensor::Precision& precision) {
  const tensor::Rounding store(precision.storage), acc(precision.accumulate);
  const auto kept = [&](double x) { return store(acc(x)); };
  return values_by_distance(params, length, [&](const KerpleParams& p, Index h, Index relative_position) {
    const double exact = bias_at(p, h, relative_position);
    if (exact == 0 || std::isinf(exact)) return exact;
    const double r1 = store(of_head(p.r1, h)), r2 = store(of_head(p.r2, h));
    const double distance = store(static_cast<double>(std::abs(relative_position)));
    const double kernel = p.kernel == KerpleKernel::log ? kept(std::log(kept(1 + kept(r2 * distance))))
                                                        : kept(std::pow(distance, r2));
    return kept(-r1 * kernel);
  });
}

}  // namespace orrery::position
