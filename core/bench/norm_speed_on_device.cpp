#include <span>
#include <vector>

#include "core/bench/device_work.h"
#include "core/bench/norm_passes_on_device.h"
#include "core/bench/norm_speed.h"
#include "core/bench/norm_turns.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/tensor/random.h"

namespace orrery::bench {
namespace {

Case copy_of(double bytes) {
  Case c;
  c.read = c.written = bytes / 2;
  return c;
}

Case arithmetic_of(double flops) {
  Case c;
  c.arithmetic = true;
  c.flops = flops;
  return c;
}

}  // namespace

NormTimes measure_norms_on_device(tensor::Index rows, tensor::Index width, int rounds,
                                  const std::function<void()>& between) {
  gpu::Device& device = gpu::Device::of_this_thread();
  const DeviceClock& clock = DeviceClock::of_this_thread();
  const tensor::Matrix<float> x = tensor::Random(1).normals(rows, width).cast<float>();
  const std::vector<float> weight(static_cast<std::size_t>(width), 1), bias(weight.size(), 0);
  tensor::Matrix<float> y(rows, width);
  const NormPassesOnDevice passes(device, x, weight, bias, timed_eps);
  const DeviceReference copy(device, copy_of(norm_work(NormWay::copy, rows, width).bytes)),
      arithmetic(device, arithmetic_of(flops_timed));
  NormTimes times;
  // Each fused norm is one dispatch, which can be repeated as long as its arrays are there: within the other's.
  each_dispatch(
      device, [&] { norm::rms_norm_gpu(device, x, weight, {}, {.eps = timed_eps}, y); },
      [&](const DeviceWork& rms) {
        each_dispatch(
            device, [&] { norm::layer_norm_gpu(device, x, weight, bias, {.eps = timed_eps}, y); },
            [&](const DeviceWork& layer) {
              times = in_turns(
                  rows, width, rounds,
                  {[&] { copy(); }, rms, layer, [&] { passes.rms_norm(); }, [&] { passes.layer_norm(); }},
                  {[&] { arithmetic(); }, flops_timed},
                  [&](const DeviceWork& work, int repeats) { return clock.milliseconds(work, repeats); },
                  between);
            });
      });
  return times;
}

}  // namespace orrery::bench
