// The chain of passes of norm_passes.h on the graphics device: every pass is a dispatch, and goes through the device's memory.
#pragma once

#include <span>

#include "core/gpu/device.h"
#include "core/tensor/view.h"

namespace orrery::bench {

/// Throws Declined where the driver would not go through a row to its end.
class NormPassesOnDevice {
 public:
  NormPassesOnDevice(gpu::Device&, tensor::View<const float> x, std::span<const float> weight,
                     std::span<const float> bias, double eps);

  void layer_norm() const;
  void rms_norm() const;
  void read(tensor::View<float> y) const;  ///< what the last of them made

 private:
  /// shaders/norm_pass.comp with that name defined: to = f(from, second).
  void pass(const char* name, const gpu::Buffer& from, const gpu::Buffer& second,
            const gpu::Buffer& to) const;
  void means(const gpu::Buffer& from) const;  ///< into by_row_

  gpu::Device& device_;
  tensor::Index rows_, width_;
  float eps_;
  gpu::Buffer x_, weight_, bias_, first_, second_, by_row_, y_;
};

}  // namespace orrery::bench
