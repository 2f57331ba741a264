#include <cmath>

#include "core/norm/rms_norm.h"

namespace orrery::norm {

using tensor::Index;
using tensor::Rounding;

void rms_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                     std::span<const double> bias, const RmsNormParams& params,
                     const tensor::Precision& precision, tensor::View<double> y) {
  if (x.empty()) return;
  const Rounding store(precision.storage), acc(precision.accumulate);
  const auto k = static_cast<std::size_t>(counted_columns(x.cols, params));
  const double eps = acc(params.eps);

  for (Index i = 0; i < x.rows; ++i) {
    const std::span<double> row = y.row(i);  // holds the stored x until it is normalised
    for (Index j = 0; j < x.cols; ++j) y(i, j) = store(x(i, j));

    double sum = 0;
    for (const double v : row.first(k)) sum = acc(sum + acc(v * v));
    const double mean_square = acc(sum / static_cast<double>(k));
    const double rms = params.eps_place == EpsPlace::inside ? acc(std::sqrt(acc(mean_square + eps)))
                                                            : acc(acc(std::sqrt(mean_square)) + eps);
    const double rrms = acc(1 / rms);

    for (std::size_t j = 0; j < row.size(); ++j) {
      const double normalised = acc(row[j] * rrms);
      const double gain = weight.empty() ? 1 : params.weight_offset + store(weight[j]);
      const bool llama = params.cast == CastOrder::llama;
      row[j] = llama ? store(store(gain) * store(normalised)) : acc(acc(gain) * normalised);
      if (!bias.empty()) row[j] = llama ? row[j] + store(bias[j]) : acc(row[j] + store(bias[j]));
      row[j] = store(row[j]);
    }
  }
}

}  // namespace orrery::norm
