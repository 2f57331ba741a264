// Small models as they begin, before any training: their matrices drawn from a seed, one pass forward and one back.
//
//   InitialDraws draws({.spread = Spread::xavier_normal}, seed);
//   InitialPass<float> pass(config);
//   draws.fill(run, pass);
//   pass.forward(run, batch);             // pass.tape: every intermediate matrix
//   pass.backward(run, batch);            // pass.gradient, laid out as pass.values
//
// A study computes in double on the reference, else in float on the processor: the transformer has no twin on the gpu.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/study/study.h"
#include "core/transformer/initialise.h"

namespace orrery::study {

/// One model, and what a pass through it leaves.
template <class T>
struct InitialPass {
  explicit InitialPass(const transformer::Config& config) : model(config), values(room()), gradient(room()) {}

  transformer::Transformer<T> model;
  std::vector<T> values, gradient;
  transformer::Tape<T> tape;
  double loss = 0;

  /// Both ask the run whether to stop, once for each part of the work that takes some milliseconds.
  void forward(const Run&, const transformer::Batch&);
  /// After forward: the gradient is that of the loss.
  void backward(const Run&, const transformer::Batch&);

  /// All arrays of a role times a number.
  void scale(transformer::Role, double factor);
  /// Of one array, as a matrix. Throws Failure where the model has none of this name.
  transformer::View<const T> value_of(std::string_view name) const;
  transformer::View<const T> gradient_of(std::string_view name) const;

 private:
  std::size_t room() const { return static_cast<std::size_t>(model.layout().size()); }
};

/// The numbers that models of one seed begin with, as core/transformer/initialise.h has it. Each array's are drawn once, under
/// its name, and scaled for every model that has it: the same matrices in all placements of the norms and at all depths.
class InitialDraws {
 public:
  InitialDraws(const transformer::Initialisation& start, std::uint64_t seed) : start_(start), seed_(seed) {}

  /// The values of transformer::initial_values.
  template <class T>
  void fill(const Run&, InitialPass<T>&);

 private:
  const std::vector<double>& drawn(const Run&, const transformer::NamedSlot&, bool uniform);

  transformer::Initialisation start_;
  std::uint64_t seed_;
  std::map<std::string, std::vector<double>, std::less<>> drawn_;
};

/// Sequences of random tokens, each with a random target.
transformer::Batch initial_batch(transformer::Index vocabulary, transformer::Index sequences,
                                 transformer::Index length, std::uint64_t seed);

/// Multiply-adds of one layer for so many tokens of each of so many sequences, forward; backward takes twice as many.
double layer_work(const transformer::Config&, double sequences, double length);

/// The root of the sum of squares.
template <class T>
double norm_of(transformer::View<const T> m) {
  return m.eigen().template cast<double>().norm();
}
/// The mean of the squares.
template <class T>
double mean_square_of(transformer::View<const T> m) {
  return m.eigen().template cast<double>().squaredNorm() / static_cast<double>(m.size());
}

}  // namespace orrery::study
