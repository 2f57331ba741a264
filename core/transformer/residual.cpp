#include "core/transformer/residual.h"

#include <cmath>

namespace orrery::transformer {

Norms norms_of(Placement placement) {
  switch (placement) {
    case Placement::post:
    case Placement::deep_norm:
      return {.after = true};
    case Placement::sandwich:
      return {.before = true, .inner = true};
    case Placement::output:
      return {.inner = true};
    case Placement::pre:
    case Placement::parallel:
    case Placement::parallel_one_norm:
      break;
  }
  return {.before = true};
}

bool ends_unnormed(Placement placement) {
  return !norms_of(placement).after;
}

DeepNorm deep_norm(Index layers) {
  const auto N = static_cast<double>(layers);
  return {.alpha = std::pow(2 * N, 0.25), .beta = std::pow(8 * N, -0.25)};
}

DeepNorm deep_norm_encoder(Index encoder_layers, Index decoder_layers) {
  const auto N = static_cast<double>(encoder_layers), M = static_cast<double>(decoder_layers);
  const double root = std::pow(N * N * N * N * M, 1.0 / 16);
  return {.alpha = 0.81 * root, .beta = 0.87 / root};
}

DeepNorm deep_norm_decoder(Index decoder_layers) {
  const auto M = static_cast<double>(decoder_layers);
  return {.alpha = std::pow(3 * M, 0.25), .beta = std::pow(12 * M, -0.25)};
}

template <class T>
Residual<T> Residual<T>::make(Layout& layout, const std::string& path, Index width, Placement placement,
                              const NormConfig& config, double alpha) {
  const Norms norms = norms_of(placement);
  const auto norm = [&](bool stands, const char* name) {
    return stands ? Norm<T>::make(layout, path + name, width, config) : Norm<T>{};
  };
  Residual residual;
  residual.before = norm(norms.before, ".norm_before");
  residual.inner = norm(norms.inner, ".norm_inner");
  residual.after = norm(norms.after, ".norm_after");
  residual.alpha = alpha;
  return residual;
}

template struct Residual<float>;
template struct Residual<double>;

}  // namespace orrery::transformer
