#include <algorithm>
#include <cmath>

#include "core/norm/batch_norm.h"
#include "core/norm/moments_ref.h"
#include "core/tensor/error.h"

namespace orrery::norm {

using tensor::Index;

void check_batch_norm(const BatchNormParams& params, Index cols) {
  const auto check = [&](const char* name, const std::vector<double>& values, bool wanted) {
    if (std::ssize(values) == (wanted ? cols : 0)) return;
    throw InvalidArgument(about(Subject::Kind::input, name)
                              .found(values.size())
                              .fault("found {} numbers", values.size())
                              .allowed("{}, one for each column, for the mean and for the variance", cols));
  };
  const bool given = !params.mean.empty() || !params.variance.empty();
  if (params.mean.empty() != params.variance.empty()) {
    const char *mean = "running_mean", *variance = "running_var";
    const bool has_mean = !params.mean.empty();
    throw InvalidArgument(about(Subject::Kind::input, has_mean ? mean : variance)
                              .fault("found without {}", has_mean ? variance : mean)
                              .allowed("both or none"));
  }
  check("running_mean", params.mean, given);
  check("running_var", params.variance, given);
  if (std::ranges::any_of(params.variance, [](double variance) { return variance < 0; }))
    throw InvalidArgument(about(Subject::Kind::input, "running_var")
                              .fault("found numbers below 0")
                              .allowed("numbers from 0 on"));
}

namespace {

void by_given_statistics(tensor::View<const double> x, std::span<const double> weight,
                         std::span<const double> bias, const BatchNormParams& params,
                         tensor::View<double> y) {
  for (Index j = 0; j < x.cols; ++j) {
    const auto column = static_cast<std::size_t>(j);
    const double deviation = std::sqrt(params.variance[column] + params.eps);
    const double w = weight.empty() ? 1 : weight[column];
    const double b = bias.empty() ? 0 : bias[column];
    for (Index i = 0; i < x.rows; ++i) y(i, j) = w * ((x(i, j) - params.mean[column]) / deviation) + b;
  }
}

}  // namespace

void batch_norm_ref(tensor::View<const double> x, std::span<const double> weight,
                    std::span<const double> bias, const BatchNormParams& params, tensor::View<double> y) {
  check_batch_norm(params, x.cols);
  if (params.by_given_statistics()) return by_given_statistics(x, weight, bias, params, y);
  const double N = static_cast<double>(x.rows);
  for (Index j = 0; j < x.cols; ++j) {
    const MomentsRef m = moments_ref(x.rows, std::sqrt(params.eps), [&](Index i) { return x(i, j); });
    const double deviation = std::sqrt(m.squares / N + scaled_eps(params.eps, m.scale * m.scale));
    const auto column = static_cast<std::size_t>(j);
    const double w = weight.empty() ? 1 : weight[column];
    const double b = bias.empty() ? 0 : bias[column];
    for (Index i = 0; i < x.rows; ++i) y(i, j) = w * m.centred(x(i, j)) / deviation + b;
  }
}

}  // namespace orrery::norm
