// How calls of an op are made from its row alone: what the lengths of its axes are, and which settings they ask for.
// Tests, studies and benchmarks differ in the sizes and in the values; see sample.h.
#pragma once

#include <string_view>

#include "core/parameter/settings.h"
#include "core/tensor/view.h"

namespace orrery::op {

/// The lengths of axes, by the letters that the shapes of inputs are written in.
struct Sizes {
  /// What "…" stands for: one axis of so many; 0: none, or the tokens T where the rest of the shape has none.
  tensor::Index groups = 0;
  tensor::Index T = 1, S = 1;         ///< queries, keys
  tensor::Index D = 1, d = 1, F = 1;  ///< widths: of a token, of a head, of a hidden layer
  tensor::Index H = 1;                ///< heads
  tensor::Index V = 1;                ///< rows of a table of words
  tensor::Index N = 1, M = 1;         ///< buckets of distances, units of a small network
  tensor::Index sharing = 1;  ///< how many heads share one of an input that allows it: a divisor of `groups`

  /// The length that a letter stands for; InvalidArgument names one that stands for none.
  tensor::Index& operator[](char letter);
  tensor::Index operator[](char letter) const { return Sizes(*this)[letter]; }
};

/// What samples of an op must keep to.
struct Sampling {
  char width = 0;  ///< the axis that is made short and long; 0: the last of the first input
  tensor::Index least = 1, most = 1 << 20;  ///< how long it may be: rope turns no width of 1
  std::string_view varied = {};             ///< "layout|kind": the choices that are tried; empty: all
  /// Sets what no input tells: the length of a table, a width that turns.
  void (*fit)(parameter::Settings&, const Sizes&) = nullptr;
};

/// A shape at which the op is timed.
struct Benchmark {
  /// "{T}×{D} gelu": the sizes stand in the place of their letters, {…} for `groups`.
  std::string_view name;
  Sizes sizes;
  /// For a graphics driver without hardware, where large shapes would only show that, slowly.
  Sizes on_software = sizes;
  std::string_view settings = {};  ///< "kind=gelu mask=causal"
  bool named = false;              ///< all named inputs are given …
  std::string_view without = {};   ///< … but these: "running_mean running_var"
  bool in_place = false;           ///< the result stands where x stood: on the cpu alone
};

}  // namespace orrery::op
