// batch_norm, scale_norm and dyt: where a plan has a norm, one large matrix and one that fits the caches.
#include "core/bench/case_parts.h"
#include "core/gpu/device.h"
#include "core/norm/batch_norm.h"
#include "core/norm/dyt.h"
#include "core/norm/scale_norm.h"

namespace orrery::bench {
namespace {

Case batch_norm_case(const std::string& device, Index rows, Index cols) {
  return row_case("batch_norm", device, rows, cols, [gpu = device == "gpu"](Buffers& b) {
    const auto w = span_of(b.weight), c = span_of(b.bias);
    if (gpu)
      norm::batch_norm_gpu(gpu::Device::of_this_thread(), b.in(), w, c, {}, b.out());
    else
      norm::batch_norm_cpu<float>(b.in(), w, c, {}, b.out());
  });
}

Case scale_norm_case(const std::string& device, Index rows, Index cols) {
  return row_case("scale_norm", device, rows, cols, [gpu = device == "gpu"](Buffers& b) {
    if (gpu)
      norm::scale_norm_gpu(gpu::Device::of_this_thread(), b.in(), 1, {}, b.out());
    else
      norm::scale_norm_cpu<float>(b.in(), 1, {}, b.out());
  });
}

Case dyt_case(const std::string& device, Index rows, Index cols) {
  return row_case("dyt", device, rows, cols, [gpu = device == "gpu"](Buffers& b) {
    const auto w = span_of(b.weight), c = span_of(b.bias);
    if (gpu)
      norm::dyt_gpu(gpu::Device::of_this_thread(), b.in(), w, c, {}, b.out());
    else
      norm::dyt_cpu<float>(b.in(), w, c, {}, b.out());
  });
}

}  // namespace

void plan_norm_kin(Plan& plan) {
  const Index large = plan.small ? 512 : 4096;
  for (const auto& [rows, cols] : {std::pair(large, large), std::pair(Index{512}, Index{768})}) {
    plan.add("batch_norm", [=, d = plan.device] { return batch_norm_case(d, rows, cols); });
    plan.add("scale_norm", [=, d = plan.device] { return scale_norm_case(d, rows, cols); });
    plan.add("dyt", [=, d = plan.device] { return dyt_case(d, rows, cols); });
  }
}

}  // namespace orrery::bench
