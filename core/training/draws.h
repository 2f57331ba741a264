// The numbers that a batch is drawn from, one after the other: a stream for training, in which every step has numbers of its
// own, and streams for tests.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/tensor/random.h"

namespace orrery::training {

class Draws {
 public:
  static Draws of_training(std::uint64_t seed, std::uint64_t step) {
    return {seed, training_stream, step * of_a_batch};
  }
  static Draws of_test(std::uint64_t seed, std::uint32_t stream) {
    return {seed, training_stream + 1 + stream, 0};
  }

  double uniform() { return random_.uniform(next_++); }
  double normal() { return random_.normal(next_++); }
  tensor::Index below(tensor::Index n) {
    return std::min(n - 1, static_cast<tensor::Index>(uniform() * static_cast<double>(n)));
  }

 private:
  Draws(std::uint64_t seed, std::uint32_t stream, std::uint64_t first)
      : random_(seed, stream), next_(first) {}

  // Far more than a batch draws, so that no two batches share a number of their stream.
  static constexpr std::uint64_t of_a_batch = std::uint64_t{1} << 32;
  static constexpr std::uint32_t training_stream = 1;

  tensor::Random random_;
  std::uint64_t next_;
};

}  // namespace orrery::training
