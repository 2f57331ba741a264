// An op's work on arrays that exist already: prepared once from a call, then done as often as it is asked for. What is
// timed is this, and what a twin returns is the array that it leaves.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tensor/array.h"

namespace orrery::op {

class Work {
 public:
  /// run() writes y, which has this shape. `read` is what it reads of the call, in the row's order.
  template <class T, class... Read>
  Work(std::shared_ptr<tensor::Matrix<T>> y, std::vector<tensor::Index> shape, std::function<void()> run,
       const std::shared_ptr<Read>&... read)
      : run_(std::move(run)), result_([y, shape = std::move(shape)] {
          return tensor::Array{tensor::format_of<T>, shape, {y->data(), y->data() + y->size()}};
        }) {
    if constexpr (std::is_same_v<T, float>) {
      inputs_ = {span_of(*read)...};
      output_ = span_of(*y);
    }
  }
  /// Nothing to be done: an array that is found with the call.
  explicit Work(tensor::Array result) : run_([] {}), result_([a = std::move(result)] { return a; }) {}

  void run() const { run_(); }
  tensor::Array done() const {
    run_();
    return result_();
  }
  /// Of work in float: what it reads and what it writes, for those who time it or fill it with numbers of their own.
  const std::vector<std::span<float>>& inputs() const { return inputs_; }
  std::span<float> output() const { return output_; }

 private:
  static std::span<float> span_of(tensor::Matrix<float>& m) {
    return {m.data(), static_cast<std::size_t>(m.size())};
  }

  std::function<void()> run_;
  std::function<tensor::Array()> result_;
  std::vector<std::span<float>> inputs_;
  std::span<float> output_;
};

}  // namespace orrery::op
