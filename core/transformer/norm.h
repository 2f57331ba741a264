// The norm of a model, with what it learns: LayerNorm or RMSNorm, by the ops of core/norm.
#pragma once

#include "core/transformer/layout.h"

namespace orrery::transformer {

enum class NormKind { layer, rms };

struct NormConfig {
  NormKind kind = NormKind::layer;
  double eps = 1e-5;
  bool bias = true;  ///< of LayerNorm; RMSNorm has none
};

template <class T>
struct Norm {
  NormConfig config;
  Slot gain, shift;

  static Norm make(Layout&, const std::string& path, Index width, const NormConfig&);

  bool exists() const { return gain.exists(); }
  void forward(Values<T>, View<const T> x, View<T> y) const;
  /// dx may be g. An empty gradient: nobody asks for that of the gain and the shift.
  void backward(Values<T>, View<const T> x, View<const T> g, Gradient<T>, View<T> dx) const;
};

}  // namespace orrery::transformer
