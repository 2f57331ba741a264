#include "app/study/numerics/sample_call.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using tensor::Index;

constexpr Index words = 64, heads = 4, buckets = 32, most_hidden = 32;

/// An axis by its letter in the op's own shapes: T tokens, D and d and F widths, V words …
Index axis(char letter, char width_letter, const SampleInput& sample) {
  if (letter == width_letter && letter != 'T' && letter != 'M') return sample.width;
  switch (letter) {
    case 'T':
    case 'S':
      return sample.rows;
    case 'V':
      return words;
    case 'H':
      return heads;
    case 'N':
      return buckets;
    case 'M':
      return std::min(sample.width, most_hidden);
    case 'B':
    case '1':
      return 1;
    default:
      return sample.width;
  }
}

std::vector<Index> shape_of(std::string_view letters, char width_letter, const SampleInput& sample) {
  if (letters == "any") return {sample.rows, sample.width};
  std::vector<Index> shape;
  Index halves = 1;  // 2F: the last axis holds two halves
  for (const char c : letters) {
    if (c == '2')
      halves = 2;
    else if ((c >= 'A' && c <= 'Z') || c == 'd' || c == '1')
      shape.push_back(halves * axis(c, width_letter, sample));
  }
  // Of "… × D" the tokens are the leading axes; the ids of "… × T" are the tokens themselves.
  const bool tokens_lead = letters.starts_with("…") && shape.size() == 1 && !letters.ends_with('T');
  if (tokens_lead) shape.insert(shape.begin(), sample.rows);
  return shape;
}

tensor::Array values_of(const op::Input& input, std::vector<Index> shape, const SampleInput& sample,
                        std::uint32_t stream) {
  tensor::Array array = tensor::Array::zeros(tensor::Format::f32, std::move(shape));
  const tensor::Random random(sample.seed, stream);
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const double value = input.name == "ids" ? std::floor(random.uniform(i) * static_cast<double>(words))
                                             : sample.mean + sample.scale * random.normal(i);
    array.values[i] = static_cast<double>(static_cast<float>(value));
  }
  return array;
}

/// Lengths and widths that an op has as settings, since no input tells them.
void fit(parameter::Settings& settings, const SampleInput& sample) {
  for (const parameter::Parameter& p : settings.declared()) {
    if (p.name == "length") settings.set(p.name, std::int64_t{sample.rows});
    if (p.name == "dim") settings.set(p.name, std::int64_t{sample.width + sample.width % 2});
    // An odd width has no last pair: one column then stays as it is.
    if (p.name == "rotary_dim" && sample.width % 2 == 1) settings.set(p.name, std::int64_t{sample.width - 1});
  }
}

}  // namespace

op::Call sample_call(const op::Op& op, const SampleInput& sample) {
  op::Call call;
  const char width_letter = op.inputs.empty() ? ' ' : op.inputs.front().shape.back();
  std::uint32_t stream = 0;
  for (const op::Input& input : op.inputs) {
    ++stream;
    const bool needed = input.positional || input.name == "table";
    if (!needed) continue;
    call.inputs.emplace(input.name,
                        values_of(input, shape_of(input.shape, width_letter, sample), sample, stream));
  }
  call.settings = parameter::Settings(op.parameters);
  fit(call.settings, sample);
  return call;
}

}  // namespace orrery::study
