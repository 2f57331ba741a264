// The positions of M-RoPE.
#include <cmath>

#include "core/op/adapters.h"
#include "core/op/operands.h"
#include "core/position/mrope_positions.h"

namespace orrery::op {
namespace {

using parameter::Settings;
using position::MropeStretch;
using tensor::Index;
using tensor::View;

std::vector<MropeStretch> stretches_of(const Settings& s) {
  const std::vector<double>& sizes = s.vector("stretches");
  constexpr std::size_t four = 4;
  const bool whole = std::ranges::all_of(sizes, [](double n) { return n == std::floor(n); });
  if (sizes.size() % four != 0 || !whole)
    throw InvalidArgument(
        about("stretches")
            .found(s.text("stretches"))
            .allowed("four whole numbers for each: tokens of text, or frames, rows and columns of an image"));
  std::vector<MropeStretch> stretches;
  const auto size = [&](std::size_t i) { return static_cast<Index>(sizes[i]); };
  for (std::size_t i = 0; i < sizes.size(); i += four)
    stretches.push_back({size(i), size(i + 1), size(i + 2), size(i + 3)});
  return stretches;
}

template <class T>
Work positions(const Call& call, auto twin) {
  std::vector<MropeStretch> stretches = stretches_of(call.settings);
  const Index tokens = position::mrope_tokens(stretches);
  const auto y = room<T>(3, tokens);
  return Work(y, {3, tokens}, [=, stretches = std::move(stretches)] { twin(stretches, View<T>(*y)); });
}

}  // namespace

Work MropePositions::ref(const Call& call) {
  return positions<double>(call, position::mrope_positions_ref);
}

Work MropePositions::cpu(const Call& call) {
  return in_compute_format(call,
                           [&]<class T>(T) { return positions<T>(call, position::mrope_positions_cpu<T>); });
}

Work MropePositions::gpu(const Call& call) {
  return positions<float>(call, on_device(call, position::mrope_positions_gpu));
}

Work MropePositions::staged(const Call& call) {
  return positions<double>(call, [storage = call.precision.storage](const auto& stretches, View<double> y) {
    position::mrope_positions_ref(stretches, y);
    for (double& p : std::span(y.data, static_cast<std::size_t>(y.size()))) p = tensor::round_to(storage, p);
  });
}

Bounds MropePositions::bounds(const Call&) {
  return {position::mrope_positions_bound, position::mrope_positions_bound};
}

/// T tokens: half of them an image that is nearly a square, text before it and behind.
void MropePositions::fit(Settings& s, const Sizes& sizes) {
  const auto side = static_cast<Index>(std::sqrt(static_cast<double>(sizes.T) / 2));
  const Index text = sizes.T - side * side, before = text / 2;
  const auto number = [](Index n) { return std::to_string(n); };
  s.set("stretches", number(before) + ",0,0,0,0,1," + number(side) + "," + number(side) + "," +
                         number(text - before) + ",0,0,0");
}

}  // namespace orrery::op
