#include "app/study/block/deepnorm_measured.h"

#include <algorithm>
#include <cmath>

#include "core/training/adam_w.h"

namespace orrery::study::block_deepnorm {

using transformer::Matrix;
using transformer::NamedSlot;
using transformer::Role;

namespace {

bool is_matrix_of_block(Role role) {
  return role == Role::query || role == Role::value || role == Role::mix || role == Role::expand ||
         role == Role::contract;
}

/// The stack's result, behind its last norm.
template <class T>
const Matrix<T>& result_of(const InitialPass<T>& pass) {
  const auto& decoder = pass.tape.decoder;
  return decoder.out.size() > 0 ? decoder.out : decoder.layers.back().out();
}

template <class T>
double mean_cosine(const Matrix<T>& a, const Matrix<T>& b) {
  double sum = 0;
  for (Index n = 0; n < a.rows(); ++n) {
    const auto x = a.row(n).template cast<double>(), y = b.row(n).template cast<double>();
    sum += x.dot(y) / (x.norm() * y.norm());
  }
  return sum / static_cast<double>(a.rows());
}

template <class T>
void take_step(InitialPass<T>& pass, const Step& step) {
  for (const NamedSlot& array : pass.model.layout().arrays())
    if (!is_matrix_of_block(array.role))
      std::ranges::fill(array.slot.numbers(std::span<T>(pass.gradient)), T{0});
  if (step.adam) {
    training::AdamW<T> optimiser({}, pass.values.size());
    optimiser.step(pass.values, pass.gradient, step.rate);
    return;
  }
  for (std::size_t i = 0; i < pass.values.size(); ++i)
    pass.values[i] -= static_cast<T>(step.rate) * pass.gradient[i];
}

template <class T>
Moved moved_as(const Run& run, const Asked& asked, const NormPlace& place, Index depth, const Step& step,
               InitialDraws& draws, const transformer::Batch& batch) {
  InitialPass<T> pass(asked.config(place, depth));
  draws.fill(run, pass);
  pass.forward(run, batch);
  const auto& decoder = pass.tape.decoder;
  Moved found{.change = 0, .left = {1}, .square = 0};
  for (const auto& block : decoder.layers)
    found.left.push_back(mean_cosine<T>(decoder.embedded, block.out()));
  const auto& last = decoder.layers.back().feed_forward_residual;
  found.square = mean_square_of<T>(last.sum.size() > 0 ? last.sum : last.out);
  pass.backward(run, batch);
  const Matrix<T> before = result_of(pass);
  take_step(pass, step);
  pass.forward(run, batch);
  const Matrix<T> change = result_of(pass) - before;
  found.change = std::sqrt(mean_square_of<T>(change));
  return found;
}

}  // namespace

Moved moved(const Run& run, const Asked& asked, const NormPlace& place, Index depth, const Step& step,
            InitialDraws& draws, const transformer::Batch& batch) {
  return run.device == DeviceChoice::ref ? moved_as<double>(run, asked, place, depth, step, draws, batch)
                                         : moved_as<float>(run, asked, place, depth, step, draws, batch);
}

}  // namespace orrery::study::block_deepnorm
