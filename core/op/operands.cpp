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
  std::vector<std::string_view> given;
  for (const auto& [key, value] : inputs) given.push_back(key);
  throw InvalidArgument(
      about(Subject::Kind::input, name)
          .fault("this input is missing; found: {}", given.empty() ? words("none") : names_phrase(given)));
}

Complaint wrong_shape(std::string_view input, const Array& found) {
  const std::string shape = tensor::shape_text(found.shape);
  return about(Subject::Kind::input, input).found(shape).fault("found shape {}", shape);
}

const Array& input_with_axes(const Call& call, std::string_view name, std::size_t least,
                             std::string_view allowed) {
  const Array& a = call.input(name);
  if (a.shape.size() < least) {
    throw InvalidArgument(wrong_shape(name, a).allowed(name_phrase(allowed)));
  }
  return a;
}

template <class T>
std::vector<T> column_values(const Call& call, std::string_view name, const Array& x) {
  const Array* a = call.find(name);
  if (a == nullptr) return {};
  if (a->shape != std::vector<tensor::Index>{x.cols()}) {
    throw InvalidArgument(
        wrong_shape(name, *a).allowed("{}, the last axis of x ({})", x.cols(), tensor::shape_text(x.shape)));
  }
  return a->values.to<T>();
}

template std::vector<float> column_values(const Call&, std::string_view, const Array&);
template std::vector<double> column_values(const Call&, std::string_view, const Array&);

Array magnitude_of_absolutes(Call call, Work (*ref)(const Call&)) {
  for (auto& [name, input] : call.inputs)
    for (double& v : input.values.doubles()) v = std::abs(v);
  return ref(call).done();
}

gpu::Device& device_of(const Call& call) {
  if (call.compute != tensor::Format::f32) {
    throw InvalidArgument(about(Subject::Kind::device, "gpu")
                              .found(tensor::name(call.compute))
                              .fault("computes in f32; found {}", tensor::name(call.compute))
                              .allowed("f32 here, or f64 with ref and cpu"));
  }
  if (call.device == nullptr)
    throw InvalidArgument(about(Subject::Kind::device, "gpu").fault("no device was given with the call"));
  return *call.device;
}

}  // namespace orrery::op
