#include <cmath>
#include <string>

#include "core/attention/truncation.h"
#include "core/gpu/device.h"
#include "core/tensor/declined.h"

namespace orrery::attention {

namespace {

constexpr tensor::Index most = tensor::Index{1} << 24;

/// `define` names the rule in the shader; `set` gives it its uniforms.
void truncate(gpu::Device& device, tensor::View<const float> x, const char* define, tensor::View<float> y,
              auto set) {
  if (x.cols > most) {
    throw Declined(about(Subject::Kind::device, "gpu")
                       .found(x.cols)
                       .fault("found rows of {} logits", x.cols)
                       .allowed("up to {} here, or any number with ref and cpu", most));
  }
  if (x.empty()) return;
  const std::string defines[] = {define};
  const gpu::Program& program = device.program("truncation", defines);
  program.set("rows", static_cast<unsigned>(x.rows));
  program.set("cols", static_cast<unsigned>(x.cols));
  set(program);
  const gpu::Buffer x_buffer(x), y_buffer(static_cast<std::size_t>(y.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&x_buffer, &y_buffer};
  // A bit of a float in each pass, one of an index, and what is before and behind them.
  constexpr tensor::Index passes = 32 + 24 + 4;
  device.dispatch_groups(program, buffers, x.rows, gpu::Loops::over_row(x.cols, passes));
  y_buffer.read(y);
}

void set_twofold(const gpu::Program& program, const char* upper, const char* lower, double value) {
  const auto rounded = static_cast<float>(value);
  program.set(upper, rounded);
  program.set(lower, std::isfinite(rounded) ? static_cast<float>(value - rounded) : 0.0f);
}

}  // namespace

void truncate_gpu(gpu::Device& device, tensor::View<const float> x, const TopK& rule, tensor::View<float> y) {
  check_truncation(rule);
  truncate(device, x, "TOP_K", y, [&](const gpu::Program& program) {
    program.set("limit", static_cast<float>(rule.k < x.cols ? x.cols - rule.k : 0));
  });
}

void truncate_gpu(gpu::Device& device, tensor::View<const float> x, const TopP& rule, tensor::View<float> y) {
  check_truncation(rule);
  truncate(device, x, "TOP_P", y, [&](const gpu::Program& program) {
    program.set("limit", rule.p == 1 ? -1.0f : static_cast<float>(may_be_cut(rule)));
    set_twofold(program, "inverse_upper", "inverse_lower", 1 / rule.temperature);
  });
}

void truncate_gpu(gpu::Device& device, tensor::View<const float> x, const MinP& rule, tensor::View<float> y) {
  check_truncation(rule);
  truncate(device, x, "MIN_P", y, [&](const gpu::Program& program) {
    set_twofold(program, "least_upper", "least_lower", least_difference(rule));
  });
}

}  // namespace orrery::attention
