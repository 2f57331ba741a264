#include "app/study/position/bias_curves.h"

#include <utility>

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

Check spread_check(const Run& run, const Matrix& values) {
  const Index length = (values.cols() + 1) / 2, rows = values.rows() * length;
  return twin::equals_reference(run, {position::relative_bias_bound, position::relative_bias_bound},
                                [&](const Run& each) -> Matrix {
                                  if (each.device == DeviceChoice::ref) {
                                    Matrix y(rows, length);
                                    position::relative_bias_cpu<double>(values, y);
                                    return y;
                                  }
                                  const tensor::Matrix<float> v = values.cast<float>();
                                  tensor::Matrix<float> y(rows, length);
                                  if (each.device == DeviceChoice::gpu)
                                    position::relative_bias_gpu(each.gpu(), v, y);
                                  else
                                    position::relative_bias_cpu<float>(v, y);
                                  return y.cast<double>();
                                });
}

figure::Line curve(std::vector<double> x, std::vector<double> y, int series, std::string label) {
  return {.x = std::move(x), .y = std::move(y), .ink = figure::series(series), .label = std::move(label)};
}

}  // namespace orrery::study
