#include "app/study/position/bias_curves.h"

#include <utility>

#include "core/position/kerple.h"
#include "core/position/relative_bias.h"

namespace orrery::study {

using tensor::Index;
using twin::Matrix;

std::vector<double> bias_behind(const Matrix& values, Index head) {
  const Index length = (values.cols() + 1) / 2;
  std::vector<double> bias;
  for (Index distance = 0; distance < length; ++distance) bias.push_back(values(head, length - 1 - distance));
  return bias;
}

Check spread_check(const Run& run, const Matrix& values, const Matrix& reference) {
  return twin::equals_reference(run, {position::relative_bias_bound, position::relative_bias_bound},
                                [&](const Run& each) -> Matrix {
                                  if (each.device == DeviceChoice::ref) return reference;
                                  const tensor::Matrix<float> v = values.cast<float>();
                                  tensor::Matrix<float> y(reference.rows(), reference.cols());
                                  if (each.device == DeviceChoice::gpu)
                                    position::relative_bias_gpu(each.gpu(), v, y);
                                  else
                                    position::relative_bias_cpu<float>(v, y);
                                  return y.cast<double>();
                                });
}

Matrix alibi_reference(std::span<const double> slopes, Index length, position::Direction direction) {
  Matrix y(std::ssize(slopes) * length, length);
  position::kerple_ref({.kernel = position::KerpleKernel::power,
                        .direction = direction,
                        .r1 = {slopes.begin(), slopes.end()},
                        .r2 = std::vector<double>(slopes.size(), 1)},
                       y);
  return y;
}

figure::Line curve(std::vector<double> x, std::vector<double> y, int series, std::string label) {
  return {.x = std::move(x), .y = std::move(y), .ink = figure::series(series), .label = std::move(label)};
}

}  // namespace orrery::study
