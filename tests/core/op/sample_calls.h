// Calls of any op on the shared input sets: see core/op/sample.h.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "core/op/sample.h"
#include "tests/support/inputs.h"

namespace orrery::op {

using tensor::Index;

/// Short axes, no two alike where that can be; the width as long as it is asked for.
inline Sizes sample_sizes(const Op& op, Index width) {
  Sizes sizes{.groups = 2, .T = 3, .S = 5, .D = 6, .d = 4, .F = 4, .H = 2, .V = 7, .N = 32, .M = 4};
  sizes[width_letter(op)] = width;
  return sizes;
}

/// Whether the op's row lets it be so wide.
inline bool takes_width(const Op& op, Index width) {
  return op.sampling.least <= width && width <= op.sampling.most;
}

/// The set's values in what is given by place, so that keys are not the queries again; normals in the others.
inline Fill values_of(const support::InputSet& set) {
  return [&set, other = random_values(5)](const Place& at) {
    const bool own = at.input.positional && at.input.holds == Holds::numbers;
    return own ? set.element(at.first + at.row, at.col) : other(at);
  };
}

/// With all named inputs, and with those alone that are needed; where heads may share an input, once with heads that do.
inline std::vector<Call> sample_calls(const Op& op, const support::InputSet& set, Index width) {
  Sizes sizes = sample_sizes(op, width), shared = sizes;
  shared.groups = 4, shared.sharing = 2;
  const bool may_share = std::ranges::any_of(op.inputs, &Input::shares_heads);
  const Fill fill = values_of(set);
  std::vector<Call> calls;
  for (const parameter::Settings& settings : varied_settings(op, sizes)) {
    calls.push_back(sample(op, settings, sizes, fill, Named::needed));
    Call full = sample(op, settings, may_share ? shared : sizes, fill, Named::all);
    if (full.inputs.size() != calls.back().inputs.size()) calls.push_back(std::move(full));
  }
  return calls;
}

/// The shared sets, and two that must leave the same NaN and infinities on every device.
inline std::vector<support::InputSet> sample_sets() {
  std::vector<support::InputSet> sets(support::input_sets().begin(), support::input_sets().end());
  sets.push_back({"one_nan", [](Index row, Index col) {
                    return row == 1 && col == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                : support::input_sets().back().element(row, col);
                  }});
  sets.push_back({"infinities", [](Index row, Index col) {
                    constexpr double infinity = std::numeric_limits<double>::infinity();
                    if (row == 0 && col == 0) return infinity;
                    return row == 2 && col == 0 ? -infinity : support::input_sets().back().element(row, col);
                  }});
  return sets;
}

}  // namespace orrery::op
