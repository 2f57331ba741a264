// How the adapters of this folder read a call: shapes checked, values in the scalar of the twin that
// computes.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/op/op.h"
#include "core/op/work.h"
#include "core/tensor/error.h"
#include "core/tensor/view.h"

namespace orrery::op {

/// The input, when it has at least as many axes; InvalidArgument says which shape is allowed: "… × T × d".
const tensor::Array& input_with_axes(const Call&, std::string_view name, std::size_t least,
                                     std::string_view allowed);

/// "x: found shape 3×4": what is allowed is for the caller to say.
Complaint wrong_shape(std::string_view input, const tensor::Array& found);

/// A vector that goes with the last axis of x (weight, bias): empty when not given, else one value a column.
template <class T>
std::vector<T> column_values(const Call& call, std::string_view name, const tensor::Array& x);
extern template std::vector<float> column_values(const Call&, std::string_view, const tensor::Array&);
extern template std::vector<double> column_values(const Call&, std::string_view, const tensor::Array&);

/// The array as rows × cols, in the twin's scalar.
template <class T>
tensor::Matrix<T> matrix_of(const tensor::Array& a) {
  return a.matrix<T>();
}

/// The same, kept for as long as work on it may be done.
template <class T>
std::shared_ptr<tensor::Matrix<T>> kept(const tensor::Array& a) {
  return std::make_shared<tensor::Matrix<T>>(matrix_of<T>(a));
}
template <class T>
std::shared_ptr<tensor::Matrix<T>> room(tensor::Index rows, tensor::Index cols) {
  return std::make_shared<tensor::Matrix<T>>(rows, cols);
}

template <class T>
tensor::Array array_of(const tensor::Matrix<T>& m, std::vector<tensor::Index> shape) {
  return {tensor::format_of<T>, std::move(shape), {m.data(), m.data() + m.size()}};
}

/// Calls f with a zero of the scalar that the call asks the cpu to compute in, and returns what it returns.
template <class F>
auto in_compute_format(const Call& call, F&& f) {
  switch (call.compute) {
    case tensor::Format::f64:
      return f(double{});
    case tensor::Format::f32:
      return f(float{});
    case tensor::Format::f16:
    case tensor::Format::bf16:
      break;
  }
  throw InvalidArgument(about("compute").found(tensor::name(call.compute)).allowed(name_phrase("f64, f32")));
}

/// What an op of products and sums adds up at most: its result with every input by its absolute value.
tensor::Array magnitude_of_absolutes(Call call, Work (*ref)(const Call&));

/// The device of a call to a gpu twin, which computes in f32 and declines anything else aloud.
gpu::Device& device_of(const Call&);

/// A gpu twin as the others are called: the device of the call goes before its arguments.
template <class... Args>
auto on_device(const Call& call, void (*twin)(gpu::Device&, Args...)) {
  return [&device = device_of(call), twin](auto&&... args) {
    twin(device, std::forward<decltype(args)>(args)...);
  };
}

}  // namespace orrery::op
