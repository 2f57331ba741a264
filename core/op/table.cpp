// The op table. An op is these files:
//
//   core/<topic>/<op>.h            the contract: formula, shapes, formats, edges, bounds with their origin, source; the twins
//   core/<topic>/<op>_ref.cpp      double, plain loops, textbook order
//   core/<topic>/<op>_cpu.cpp      fast, for float and for double; vectors in <op>_hwy.cpp, declared in <topic>/kernels.h
//   core/<topic>/<op>_gpu.cpp      binds buffers and dispatches
//   shaders/<op>.comp              the same names and the same skeleton as the cpu twin (or another op's, with a define)
//   core/<topic>/<op>_staged.cpp   every stage rounded; without it the op has no narrow formats
//   core/<topic>/<op>_vjp.h, .cpp  the derivative by every floating input
//
//   core/op/adapters.h             a struct with ref, cpu, gpu, staged (Work), vjp, bounds; a norm with gain and shift is one
//                                  line, see affine_norm.h. Where terms cancel, or parts of a row differ in size, also
//                                  magnitude (magnitude_of_absolutes in operands.h) and bounds "by magnitude"; where a setting
//                                  tells what no input does, or must suit the sizes, fit; where an ideal op reads less than
//                                  its arrays, reads; where arithmetic limits it, flops
//   core/op/<topic>_ops.cpp        the bodies: check shapes (name, found, allowed), read settings, prepare the twins' work
//   core/op/<topic>_rows.h         what it reads (in the contract's letters: see sampling.h for their lengths), parameters,
//                                  shapes of its benchmark, one row. `orrery apply`, `list --ops`, `bench`, numerics/twins
//                                  and the tests of twins, derivatives, samples, processors, large and empty arrays know it
//                                  from then on
//   README.md                      the op table: `orrery list --ops --markdown`
//   assets/translations/zh/        its summary, and its parameters where they are new: `./dev test house` says which
//
//   tests/core/<topic>/<op>_test.cpp   the contract's edges
//   tests/core/gpu/<topic>_gl_test.cpp what its shader meets at its limits: many rows, long rows, empty ones
//   tests/core/op/shapes_test.cpp      what is refused, and with which line
//   tests/core/op/naive_*_test.cpp     every stage, against NumPy's and PyTorch's narrow numbers
//   tests/reference/make_torch.py      PyTorch's numbers and derivatives: a function and its cases, at the end with a seed of
//                                      their own, so that the numbers before stay; /usr/bin/python3 runs it (Debian's
//                                      python3-torch), and writes all of tests/reference/torch anew, the same bytes
//   tests/reference/parity.py          the same on random shapes, through `orrery apply`: a function of the op's name
//   tests/mutations.toml               a line of its cpu twin, broken: numerics/twins notices (`./dev mutate op=<op>`)
//   tests/bench/torch_peer.py          where PyTorch has it, a function of the op's name: `./dev compare` asks the rest
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

std::string_view names() {
  static const std::string joined = [] {
    std::string all;
    for (const Op& op : ops) all += (all.empty() ? "" : "|") + std::string(op.name);
    return all;
  }();
  return joined;
}

const Op& find(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Op& op : ops) {
    if (op.name == name) return op;
    known.push_back(op.name);
  }
  throw InvalidArgument(parameter::unknown(about("op"), name, known));
}

}  // namespace orrery::op
