// The op table. To add an op:
//
//   1. core/<topic>/<op>.h         the contract (formula, shapes, formats, edges, bound, source)
//   2. core/<topic>/<op>_ref.cpp   double, plain loops, textbook order
//   3. core/<topic>/<op>_cpu.cpp   fast, for float and for double
//   4. core/<topic>/<op>_gpu.cpp   binds buffers and dispatches
//      shaders/<op>.comp           the same names and the same skeleton as the cpu twin
//   5. core/op/adapters.h          a struct with ref, cpu, gpu, bounds
//      core/op/<topic>_ops.cpp     its bodies: check shapes (name, found, allowed), read settings, call twins
//   6. core/op/<topic>_rows.h      its inputs, its parameters, one row: `orrery apply`, the op picker and the
//                                  twin tests know it from then on
//   7. tests/core/<topic>/<op>_test.cpp   the contract's edges, and numbers that we did not make
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/op/activation_rows.h"
#include "core/op/attention_rows.h"
#include "core/op/embedding_rows.h"
#include "core/op/norm_rows.h"
#include "core/op/position_rows.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::op {
namespace {

/// All topics in one array.
template <std::size_t... N>
constexpr auto joined(const std::array<Op, N>&... topics) {
  std::array<Op, (N + ...)> all{};
  auto next = all.begin();
  ((next = std::copy(topics.begin(), topics.end(), next)), ...);
  return all;
}

constexpr auto ops = joined(norm_rows, position_rows, attention_rows, activation_rows, embedding_rows);

}  // namespace

std::span<const Op> table() {
  return ops;
}

const Op& find(std::string_view name) {
  std::vector<std::string_view> known;
  std::string list;
  for (const Op& op : ops) {
    if (op.name == name) return op;
    known.push_back(op.name);
    list += (list.empty() ? "" : ", ") + std::string(op.name);
  }
  throw InvalidArgument("op: found '" + std::string(name) + "'" + parameter::did_you_mean(name, known) +
                        "; allowed: " + list);
}

}  // namespace orrery::op
