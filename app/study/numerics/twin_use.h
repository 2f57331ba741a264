// How much of its contract a twin uses: |twin − ref| as a fraction of what the op's bound allows, element by element.
#pragma once

#include <functional>
#include <vector>

#include "app/study/study.h"
#include "core/op/op.h"

namespace orrery::study {

/// An element, as it is looked up.
struct Element {
  tensor::Index row = 0, col = 0;
  double ref = 0, twin = 0, bound = 0;
  double use = 0;  ///< 0: equal; infinite where one of the two is no number
};

struct TwinUse {
  tensor::Index rows = 0, cols = 0;
  std::vector<Element> elements{};  ///< row by row
  double worst = 0;
  double equal = 0;       ///< the share of elements that the twin has exactly
  double share_nmse = 0;  ///< Σ(twin − ref)² as a fraction of what the bound allows for the sum
  bool sum_bounded = false;
};

/// The twin of the run's device, or with `staged` the one that rounds every stage as the call's precision says; on the
/// reference a twin of its own. Throws Declined where the device does not offer the op, with its reason.
///
/// An op of much arithmetic that does each token by itself is done a few rows at a time, and `on_part` sees those so far.
TwinUse twin_use(const op::Op&, op::Call, const Run&, bool staged,
                 const std::function<void(const TwinUse&)>& on_part = {});

}  // namespace orrery::study
