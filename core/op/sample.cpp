#include "core/op/sample.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/parameter/only_when.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

namespace orrery::op {

using parameter::Parameter;
using parameter::Settings;
using tensor::Index;

Index& Sizes::operator[](char letter) {
  switch (letter) {
    case 'T':
      return T;
    case 'S':
      return S;
    case 'D':
      return D;
    case 'd':
      return d;
    case 'F':
      return F;
    case 'H':
      return H;
    case 'V':
      return V;
    case 'N':
      return N;
    case 'M':
      return M;
    default:
      throw InvalidArgument(about(words("axis"))
                                .found(std::string(1, letter))
                                .fault("found '{}', a letter without a size", std::string(1, letter))
                                .allowed(name_phrase("T, S, D, d, F, H, V, N, M")));
  }
}

namespace {

constexpr std::string_view ellipsis = "…";

/// "… × T × d" → the axes of "…", T and d; "2F" is twice F, "1" one, "B" the first of the axes before a matrix.
std::vector<Index> shape_of(const Input& input, const Sizes& sizes) {
  std::string_view letters = input.shape == "any" ? "… × D" : input.shape;
  const bool led = letters.starts_with(ellipsis);
  if (led) letters.remove_prefix(ellipsis.size());
  std::vector<Index> shape;
  Index times = 1;
  for (const char c : letters) {
    if (c == '2') times = 2;
    if (c == '1') shape.push_back(1);
    const bool heads = c == 'H' && input.of_heads;
    if (c == 'B' || heads) shape.push_back(std::max<Index>(sizes.groups, 1));
    const bool letter = (c >= 'A' && c <= 'Z' && c != 'B') || (c >= 'a' && c <= 'z');
    if (letter && !heads) shape.push_back(std::exchange(times, 1) * sizes[c]);
  }
  const Index shared = input.shares_heads ? sizes.sharing : 1;
  const bool has_tokens = letters.find('T') != letters.npos || shape.size() > 1;
  if (led && !has_tokens) shape.insert(shape.begin(), sizes.T);
  if (led && sizes.groups > 0) shape.insert(shape.begin(), sizes.groups / shared);
  return shape;
}

bool varies(const Op& op, const Parameter& p) {
  if (p.kind != parameter::Kind::choice) return false;
  if (op.sampling.varied.empty()) return true;
  const Parameter names{.choices = op.sampling.varied};
  return std::ranges::count(parameter::choices_of(names), p.name) > 0;
}

/// "sliding:W" → "sliding:2"
std::string with_number(std::string_view choice) {
  return choice.ends_with(":W") ? std::string(choice.substr(0, choice.size() - 1)) + "2"
                                : std::string(choice);
}

}  // namespace

Fill random_values(std::uint64_t seed, double mean, double scale) {
  return [=](const Place& at) {
    const tensor::Random random(seed, at.stream);
    switch (at.input.holds) {
      case Holds::row_numbers:
        return std::floor(random.uniform(at.i) * static_cast<double>(at.sizes.V));
      case Holds::flags:
        return random.uniform(at.i) < 5.0 / 6 ? 1.0 : 0.0;
      case Holds::counts:
        return std::floor(random.uniform(at.i) * static_cast<double>(at.sizes.S + 1));
      case Holds::positions:
        return static_cast<double>(static_cast<float>(random.normal(at.i)));
      case Holds::documents:  // three of them, of lengths that differ
        return std::floor(3.0 *
                          std::sqrt((static_cast<double>(at.col) + 0.5) / static_cast<double>(at.sizes.S)));
      case Holds::statistics:
        return static_cast<double>(static_cast<float>(0.5 + random.uniform(at.i)));
      case Holds::numbers:
        break;
    }
    return static_cast<double>(static_cast<float>(mean + scale * random.normal(at.i)));
  };
}

char width_letter(const Op& op) {
  if (op.sampling.width != 0) return op.sampling.width;
  const bool no_letter = op.inputs.empty() || op.inputs.front().shape == "any";
  return no_letter ? 'D' : op.inputs.front().shape.back();
}

bool is_needed(const Input& input, const Settings& settings) {
  if (input.positional) return true;
  if (input.needed_when.empty()) return false;
  return !parameter::unmet(Parameter{.only_when = input.needed_when}, settings);
}

Settings sample_settings(const Op& op, const Sizes& sizes) {
  Settings settings(op.parameters);
  if (op.sampling.fit != nullptr) op.sampling.fit(settings, sizes);
  return settings;
}

std::vector<Settings> varied_settings(const Op& op, const Sizes& sizes) {
  std::vector<Settings> all{sample_settings(op, sizes)};
  for (const Parameter& p : op.parameters) {
    if (!varies(op, p)) continue;
    std::vector<Settings> longer;
    for (Settings s : all) {
      for (const std::string_view choice : parameter::choices_of(p)) {
        s.set(p.name, with_number(choice));
        longer.push_back(s);
      }
    }
    all = std::move(longer);
  }
  return all;
}

Call sample(const Op& op, const Settings& settings, const Sizes& sizes, const Fill& fill, Named named) {
  Call call;
  call.settings = settings;
  std::uint32_t stream = 0;
  Index first = 0;
  for (const Input& input : op.inputs) {
    ++stream;
    if (named == Named::needed && !is_needed(input, settings)) continue;
    tensor::Array a{tensor::Format::f32, shape_of(input, sizes), {}};
    std::vector<double> values;
    const Index rows = a.rows(), cols = a.cols();
    std::uint64_t i = 0;
    for (Index row = 0; row < rows; ++row)
      for (Index col = 0; col < cols; ++col, ++i)
        values.push_back(fill({input, stream, row, col, first, i, sizes}));
    a.values = std::move(values);
    if (input.positional) first += rows;
    call.inputs.emplace(input.name, std::move(a));
  }
  return call;
}

}  // namespace orrery::op
