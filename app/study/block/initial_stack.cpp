#include "app/study/block/initial_stack.h"

#include <algorithm>
#include <cmath>

#include "core/tensor/error.h"
#include "core/tensor/random.h"

namespace orrery::study {

using transformer::Batch;
using transformer::Config;
using transformer::Index;
using transformer::NamedSlot;

namespace {

/// Multiply-adds between two questions whether to stop: a millisecond or so of the reference.
constexpr double work_of_a_check = 1 << 20;

/// Asks as often as the work that was done asks for.
class Asking {
 public:
  Asking(const Run& run, double work_of_a_layer) : run_(run), work_(work_of_a_layer) { run_.check(); }
  void layer_done() {
    for (done_ += work_; done_ >= work_of_a_check; done_ -= work_of_a_check) run_.check();
  }

 private:
  const Run& run_;
  double work_, done_ = 0;
};

/// Both stacks of a model look on in one way, until this is gone.
template <class T>
class Watching {
 public:
  Watching(transformer::Tape<T>& tape, transformer::StackWatch<T> watch) : tape_(tape) {
    tape_.encoder.watch = watch;
    tape_.decoder.watch = std::move(watch);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
  ~Watching() { tape_.encoder.watch = tape_.decoder.watch = {}; }

 private:
  transformer::Tape<T>& tape_;
};

template <class T>
const NamedSlot& array_of(const transformer::Transformer<T>& model, std::string_view name) {
  const NamedSlot* found = model.layout().find(name);
  if (!found) throw Failure(about(name).fault("the model has no such array"));
  return *found;
}

}  // namespace

template <class T>
void InitialPass<T>::forward(const Run& run, const Batch& batch) {
  Asking asking(run, layer_work(model.config(), static_cast<double>(batch.sequences),
                                static_cast<double>(batch.length)));
  const Watching<T> watching(tape, {.forward = [&](std::size_t) { asking.layer_done(); }});
  model.forward(values, batch, tape);
  loss = model.loss(batch, tape);
}

template <class T>
void InitialPass<T>::backward(const Run& run, const Batch& batch) {
  Asking asking(run, 2 * layer_work(model.config(), static_cast<double>(batch.sequences),
                                    static_cast<double>(batch.length)));
  const Watching<T> watching(
      tape, {.backward = [&](std::size_t, transformer::View<const T>) { asking.layer_done(); }});
  std::ranges::fill(gradient, T{0});
  model.backward(values, batch, tape, gradient);
}

template <class T>
void InitialPass<T>::scale(transformer::Role role, double factor) {
  for (const NamedSlot& array : model.layout().arrays())
    if (array.role == role)
      for (T& x : array.slot.numbers(std::span<T>(values))) x *= static_cast<T>(factor);
}

template <class T>
transformer::View<const T> InitialPass<T>::value_of(std::string_view name) const {
  return array_of(model, name).slot.matrix(std::span<const T>(values));
}

template <class T>
transformer::View<const T> InitialPass<T>::gradient_of(std::string_view name) const {
  return array_of(model, name).slot.matrix(std::span<const T>(gradient));
}

const std::vector<double>& InitialDraws::drawn(const Run& run, const NamedSlot& array, bool uniform) {
  const auto size = static_cast<std::size_t>(array.slot.size());
  const auto found = drawn_.find(array.name);
  if (found != drawn_.end() && found->second.size() >= size) return found->second;
  run.check();
  std::vector<double>& draws = drawn_[array.name];
  draws.resize(size);
  transformer::standard_draws(array.name, uniform, seed_, draws);
  return draws;
}

template <class T>
void InitialDraws::fill(const Run& run, InitialPass<T>& pass) {
  for (const NamedSlot& array : pass.model.layout().arrays()) {
    const std::span<T> own = array.slot.numbers(std::span<T>(pass.values));
    const transformer::Beginning beginning = transformer::beginning_of(pass.model.config(), array, start_);
    if (beginning.deviation == 0) {
      std::ranges::fill(own, static_cast<T>(beginning.constant));
      continue;
    }
    const std::vector<double>& draws = drawn(run, array, beginning.uniform);
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = static_cast<T>(beginning.deviation * draws[i]);
  }
}

Batch initial_batch(Index vocabulary, Index sequences, Index length, std::uint64_t seed) {
  const auto ids = [&](std::uint32_t stream) {
    const tensor::Random random(seed, stream);
    std::vector<Index> all(static_cast<std::size_t>(sequences * length));
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<Index>(random.uniform(i) * static_cast<double>(vocabulary));
    return all;
  };
  return {.sequences = sequences, .length = length, .tokens = ids(0), .targets = ids(1)};
}

double layer_work(const Config& given, double sequences, double length) {
  const Config config = transformer::resolved(given);
  const auto d = static_cast<double>(config.width), hidden = static_cast<double>(config.hidden),
             inner = static_cast<double>(config.heads * config.head_width),
             shared = static_cast<double>(config.key_value_heads * config.head_width);
  const double of_token = 2 * d * (inner + shared) + (config.gated ? 3 : 2) * d * hidden + 2 * inner * length;
  return sequences * length * of_token;
}

template struct InitialPass<float>;
template struct InitialPass<double>;
template void InitialDraws::fill(const Run&, InitialPass<float>&);
template void InitialDraws::fill(const Run&, InitialPass<double>&);

}  // namespace orrery::study
