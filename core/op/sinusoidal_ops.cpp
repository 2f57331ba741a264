// The sinusoidal table.
#include "core/op/adapters.h"
#include "core/op/operands.h"
#include "core/position/sinusoidal.h"
#include "core/position/sinusoidal_staged.h"

namespace orrery::op {
namespace {

using parameter::Settings;
using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

position::SinusoidalParams sinusoidal_params(const Settings& s) {
  using position::SinusoidalLayout;
  const std::string& layout = s.choice("layout");
  return {.base = s.real("base"),
          .layout = layout == "tensor2tensor" ? SinusoidalLayout::tensor2tensor
                    : layout == "fairseq"     ? SinusoidalLayout::fairseq
                                              : SinusoidalLayout::paper,
          .offset = s.real("offset")};
}

template <class T>
Work sinusoidal(const Call& call, auto twin) {
  const Index length = call.settings.integer("length"), dim = call.settings.integer("dim");
  constexpr Index most = Index{1} << 31;
  if (length * dim > most) {
    throw InvalidArgument(about("length")
                              .found(length)
                              .fault("found {} with dim {}", length, dim)
                              .allowed("length × dim up to {}", most));
  }
  const auto out = room<T>(length, dim);
  const position::SinusoidalParams params = sinusoidal_params(call.settings);
  return Work(out, {length, dim}, [=] { twin(params, View<T>(*out)); });
}

}  // namespace

Work Sinusoidal::ref(const Call& call) {
  return sinusoidal<double>(call, position::sinusoidal_ref);
}

Work Sinusoidal::cpu(const Call& call) {
  return in_compute_format(call,
                           [&]<class T>(T) { return sinusoidal<T>(call, position::sinusoidal_cpu<T>); });
}

Work Sinusoidal::gpu(const Call& call) {
  return sinusoidal<float>(call, on_device(call, position::sinusoidal_gpu));
}

Work Sinusoidal::staged(const Call& call) {
  return sinusoidal<double>(call, [precision = call.precision](const auto& params, View<double> y) {
    position::sinusoidal_staged(params, precision, y);
  });
}

Bounds Sinusoidal::bounds(const Call&) {
  return {position::sinusoidal_bound, position::sinusoidal_bound};
}

void Sinusoidal::fit(parameter::Settings& s, const Sizes& sizes) {
  s.set("length", std::int64_t{sizes.T});
  s.set("dim", std::int64_t{sizes.D + sizes.D % 2});
}

}  // namespace orrery::op
