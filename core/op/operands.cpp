#include "core/op/operands.h"

#include <cmath>
#include <string>

namespace orrery::op {

using tensor::Array;

const Array* Call::find(std::string_view name) const {
  const auto it = inputs.find(name);
  return it == inputs.end() ? nullptr : &it->second;
}

const Array& Call::input(std::string_view name) const {
  if (const Array* a = find(name)) return *a;
  std::string given;
  for (const auto& [key, value] : inputs) given += (given.empty() ? "" : ", ") + key;
  throw InvalidArgument(std::string(name) +
                        ": this input is missing; found: " + (given.empty() ? "none" : given));
}

const Array& input_with_axes(const Call& call, std::string_view name, std::size_t least,
                             std::string_view allowed) {
  const Array& a = call.input(name);
  if (a.shape.size() < least) {
    throw InvalidArgument(std::string(name) + ": found shape " + tensor::shape_text(a.shape) +
                          "; allowed: " + std::string(allowed));
  }
  return a;
}

template <class T>
std::vector<T> column_values(const Call& call, std::string_view name, const Array& x) {
  const Array* a = call.find(name);
  if (a == nullptr) return {};
  if (a->shape != std::vector<tensor::Index>{x.cols()}) {
    throw InvalidArgument(std::string(name) + ": found shape " + tensor::shape_text(a->shape) +
                          "; allowed: " + std::to_string(x.cols()) + ", the last axis of x (" +
                          tensor::shape_text(x.shape) + ")");
  }
  return {a->values.begin(), a->values.end()};
}

template std::vector<float> column_values(const Call&, std::string_view, const Array&);
template std::vector<double> column_values(const Call&, std::string_view, const Array&);

Array magnitude_of_absolutes(Call call, Work (*ref)(const Call&)) {
  for (auto& [name, input] : call.inputs)
    for (double& v : input.values) v = std::abs(v);
  return ref(call).done();
}

gpu::Device& device_of(const Call& call) {
  if (call.compute != tensor::Format::f32) {
    throw InvalidArgument("gpu: computes in f32; found " + std::string(tensor::name(call.compute)) +
                          "; allowed: f32 here, or f64 with ref and cpu");
  }
  if (call.device == nullptr) throw InvalidArgument("gpu: no device was given with the call");
  return *call.device;
}

}  // namespace orrery::op
