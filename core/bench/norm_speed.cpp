#include "core/bench/norm_speed.h"

#include <algorithm>
#include <span>

#include "core/bench/arithmetic.h"
#include "core/bench/norm_passes.h"
#include "core/bench/norm_turns.h"
#include "core/bench/statistics.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/tensor/random.h"

namespace orrery::bench {
namespace {

using tensor::Index;

AlignedFloats normals(Index count) {
  AlignedFloats x(count);
  const tensor::Matrix<double> z = tensor::Random(1).normals(1, std::min<Index>(count, 1 << 16));
  for (Index i = 0; i < count; ++i) x.data()[i] = static_cast<float>(z(0, i % z.cols()));
  return x;
}

}  // namespace

NormWork norm_work(NormWay way, Index rows, Index width) {
  const auto count = static_cast<double>(rows) * static_cast<double>(width);
  const auto work = [&](int moves, int operations) {
    return NormWork{count * moves * static_cast<double>(sizeof(float)), count * operations};
  };
  constexpr int rms_operations = 4, layer_operations = 7;
  switch (way) {
    case NormWay::copy:
      return work(2, 0);
    case NormWay::rms_fused:
      return work(2, rms_operations);
    case NormWay::layer_fused:
      return work(2, layer_operations);
    case NormWay::rms_passes:
      return work(NormPasses::rms_norm_moves, rms_operations);
    case NormWay::layer_passes:
      break;
  }
  return work(NormPasses::layer_norm_moves, layer_operations);
}

NormTimes measure_norms(Index rows, Index width, int rounds, const std::function<void()>& between) {
  const Index count = rows * width;
  const AlignedFloats x = normals(count), y(count), weight(width, 1), bias(width, 0);
  NormPasses passes(rows, width);
  const tensor::View<const float> in(x.data(), rows, width, width);
  const tensor::View<float> out(y.data(), rows, width, width);
  const std::span<const float> w(weight.data(), static_cast<std::size_t>(width)),
      b(bias.data(), static_cast<std::size_t>(width));
  const bool cached = 2 * sizeof(float) * static_cast<double>(count) <= cached_bytes;
  return in_turns(rows, width, rounds,
                  {[&] { move_floats(x.data(), count, y.data(), count, !cached); },
                   [&] { norm::rms_norm_cpu<float>(in, w, {.eps = timed_eps}, out); },
                   [&] { norm::layer_norm_cpu<float>(in, w, b, {.eps = timed_eps}, out); },
                   [&] { passes.rms_norm(x.data(), weight.data(), timed_eps, y.data()); },
                   [&] { passes.layer_norm(x.data(), weight.data(), bias.data(), timed_eps, y.data()); }},
                  {[] { multiply_adds(flops_timed); }, flops_timed}, milliseconds, between);
}

}  // namespace orrery::bench
