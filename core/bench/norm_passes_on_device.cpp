#include "core/bench/norm_passes_on_device.h"

#include <string>

namespace orrery::bench {
namespace {

gpu::Buffer floats(tensor::Index count) {
  return gpu::Buffer(static_cast<std::size_t>(count) * sizeof(float));
}

}  // namespace

NormPassesOnDevice::NormPassesOnDevice(gpu::Device& device, tensor::View<const float> x,
                                       std::span<const float> weight, std::span<const float> bias, double eps)
    : device_(device),
      rows_(x.rows),
      width_(x.cols),
      eps_(static_cast<float>(eps)),
      x_(x),
      weight_(weight),
      bias_(bias),
      first_(floats(x.size())),
      second_(floats(x.size())),
      by_row_(floats(x.rows)),
      y_(floats(x.size())) {}

void NormPassesOnDevice::pass(const char* name, const gpu::Buffer& from, const gpu::Buffer& second,
                              const gpu::Buffer& to) const {
  const std::string defines[] = {name};
  const gpu::Program& program = device_.program("norm_pass", defines);
  program.set("rows", static_cast<unsigned>(rows_));
  program.set("cols", static_cast<unsigned>(width_));
  if (defines[0] == "OVER_ROOT") program.set("eps", eps_);
  const gpu::Buffer* const buffers[] = {&from, &to, &second};
  if (defines[0] == "MEAN") {
    device_.dispatch_groups(program, buffers, rows_, gpu::Loops::over_row(width_, 1));
  } else {
    device_.dispatch_elements(program, buffers, rows_ * width_);
  }
}

void NormPassesOnDevice::means(const gpu::Buffer& from) const {
  pass("MEAN", from, weight_, by_row_);
}

void NormPassesOnDevice::layer_norm() const {
  means(x_);
  pass("LESS_MEAN", x_, by_row_, first_);
  pass("SQUARE", first_, by_row_, second_);
  means(second_);
  pass("OVER_ROOT", first_, by_row_, second_);
  pass("TIMES", second_, weight_, first_);
  pass("PLUS", first_, bias_, y_);
}

void NormPassesOnDevice::rms_norm() const {
  pass("SQUARE", x_, by_row_, first_);
  means(first_);
  pass("OVER_ROOT", x_, by_row_, second_);
  pass("TIMES", second_, weight_, y_);
}

void NormPassesOnDevice::read(tensor::View<float> y) const {
  y_.read(y);
}

}  // namespace orrery::bench
