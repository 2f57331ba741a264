// What the cases are made of: arrays as a model keeps them, and a twin of the device that is measured.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/bench/benchmark.h"
#include "core/bench/memory.h"
#include "core/tensor/random.h"
#include "core/tensor/view.h"

namespace orrery::bench {

using tensor::Index;
using tensor::View;
using Floats = tensor::Matrix<float>;

/// The arrays of a case, kept alive by its closure. As a model keeps them: owned by the caller, written before.
struct Buffers {
  Index rows, cols;
  AlignedFloats x, y;
  Floats weight, bias;

  Buffers(Index r, Index c)
      : rows(r), cols(c), x(r * c), y(r * c), weight(Floats::Ones(1, c)), bias(Floats::Zero(1, c)) {
    const tensor::Random random(1);
    for (Index i = 0; i < r * c; ++i)
      x.data()[i] = static_cast<float>(random.normal(static_cast<std::uint64_t>(i)));
  }
  View<const float> in() const { return {x.data(), rows, cols}; }
  View<float> out() const { return {y.data(), rows, cols}; }
  std::span<float> input() const { return {x.data(), static_cast<std::size_t>(rows * cols)}; }
  std::span<float> output() const { return {y.data(), static_cast<std::size_t>(rows * cols)}; }
};

inline std::string shape_of(Index rows, Index cols) {
  return std::to_string(rows) + "×" + std::to_string(cols);
}

inline std::span<const float> span_of(const Floats& m) {
  return {m.data(), static_cast<std::size_t>(m.size())};
}
inline std::span<float> all_of(Floats& m) {
  return {m.data(), static_cast<std::size_t>(m.size())};
}

inline std::shared_ptr<Floats> shared_normals(Index rows, Index cols, std::uint64_t seed, float scale = 1) {
  return std::make_shared<Floats>(scale * tensor::Random(seed).normals(rows, cols).cast<float>());
}

/// An op that reads and writes one rows × cols matrix; `body(buffers)` calls the twin.
template <class Body>
Case row_case(std::string op, std::string device, Index rows, Index cols, Body body,
              void (*prepare)(Buffers&) = nullptr) {
  auto buffers = std::make_shared<Buffers>(rows, cols);
  if (prepare != nullptr) prepare(*buffers);
  Case c{std::move(op),
         shape_of(rows, cols),
         std::move(device),
         2.0 * sizeof(float) * static_cast<double>(rows * cols),
         0,
         [buffers, body] { body(*buffers); }};
  c.inputs = {buffers->input()};
  c.output = buffers->output();
  return c;
}

/// The ops that are wanted, made later: see Planned.
struct Plan {
  std::vector<std::string> ops;  ///< empty: all
  std::string device;
  bool small = false;  ///< a software driver moves about 2 GB/s: large shapes would only show that, slowly
  std::vector<Planned> cases = {};

  void add(std::string op, std::function<Case()> make) {
    if (ops.empty() || std::find(ops.begin(), ops.end(), op) != ops.end())
      cases.push_back({std::move(op), std::move(make)});
  }
};

void plan_norm_kin(Plan&);
void plan_biases(Plan&);
void plan_networks(Plan&);

}  // namespace orrery::bench
