// Calls of any op on the shared input sets, made from its row in the table alone: shapes from the letters of
// its inputs, settings from the choices of its parameters.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/op/op.h"
#include "tests/support/inputs.h"

namespace orrery::op {

using tensor::Index;

/// "… × T × d" → {2, 3, width}: the last letter of the first input is the width, all others are short, … is
/// one axis of 2, 1 an axis of 1.
inline constexpr Index sample_words = 7;  // V: rows of a table
inline std::vector<Index> sample_shape(std::string_view letters, char width_letter, Index width) {
  std::vector<Index> shape;
  Index halves = 1;  // 2F: the last axis holds two halves of width F
  for (const char c : letters) {
    if (c == '2')
      halves = 2;
    else if (c == width_letter)
      shape.push_back(halves * width);
    else if (c == 'T')
      shape.push_back(3);
    else if (c == 'S')
      shape.push_back(5);
    else if (c == 'F')
      shape.push_back(4);
    else if (c == 'D')
      shape.push_back(6);
    else if (c == 'V')
      shape.push_back(sample_words);
    else if (c == 'H')
      shape.push_back(2);
    else if (c == 'N')
      shape.push_back(32);  // t5_bias: its buckets
    else if (c == 'B')
      shape.push_back(2);
    else if (c == '1')
      shape.push_back(1);
  }
  if (letters.starts_with("…")) shape.insert(shape.begin(), 2);
  if (letters == "any") shape = {2, 3, width};
  return shape;
}

inline tensor::Array sample_array(const support::InputSet& set, std::vector<Index> shape, Index first_row) {
  tensor::Array a = tensor::Array::zeros(tensor::Format::f32, std::move(shape));
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) a.matrix()(i, j) = set.element(first_row + i, j);
  }
  return a;
}

inline std::string with_number(std::string_view choice) {
  return choice.ends_with(":W") ? std::string(choice.substr(0, choice.size() - 1)) + "2"
                                : std::string(choice);
}

/// Every combination of choices, the other parameters at their defaults, fitted to the width.
inline std::vector<parameter::Settings> sample_settings(const Op& op, Index width) {
  std::vector<parameter::Settings> all{parameter::Settings(op.parameters)};
  for (const parameter::Parameter& p : op.parameters) {
    std::vector<parameter::Settings> longer;
    for (parameter::Settings s : all) {
      // An odd width has no pairs; one column then stays as it is.
      if (p.name == "rotary_dim" && width % 2 == 1) s.set(p.name, std::int64_t{width - 1});
      if (p.name == "dim") s.set(p.name, std::int64_t{width + width % 2});
      if (p.name == "length") s.set(p.name, std::int64_t{6});
      // layer: beside config only; the rules and stages of rope have tests of their own.
      if (p.kind != parameter::Kind::choice || (op.name == "rope" && p.name != "layout")) {
        longer.push_back(s);
        continue;
      }
      for (const std::string_view choice : choices_of(p)) {
        s.set(p.name, with_number(choice));
        longer.push_back(s);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// With all named inputs, and without any.
inline std::vector<Call> sample_calls(const Op& op, const support::InputSet& set, Index width) {
  const char width_letter = op.inputs.empty() ? ' ' : op.inputs.front().shape.back();
  Call bare, full;
  Index first_row = 0;
  for (const Input& input : op.inputs) {
    const std::vector<Index> shape = sample_shape(input.shape, width_letter, width);
    if (input.positional) {
      tensor::Array a = sample_array(set, shape, first_row);
      first_row += a.rows();  // so that keys are not the queries again
      if (input.name == "ids")
        for (Index i = 0; i < a.size(); ++i) a.values[i] = static_cast<double>(i * i % sample_words);
      bare.inputs.emplace(input.name, a);
      full.inputs.emplace(input.name, std::move(a));
    } else {
      Index count = 1;
      for (const Index n : shape) count *= n;
      tensor::Matrix<double> values = support::normal_floats(1, count, input.name.size());
      if (input.name == "padding") values = (values.array() > -1).cast<double>();  // one key in six is hidden
      if (input.name == "lengths") values << 3, 5;
      full.inputs.emplace(
          input.name,
          tensor::Array{tensor::Format::f32, shape, {values.data(), values.data() + values.size()}});
    }
  }
  std::vector<Call> calls;
  for (const parameter::Settings& settings : sample_settings(op, width)) {
    bare.settings = full.settings = settings;
    const bool needs_table = op.name == "t5_bias" && settings.choice("output") == "bias";
    if (!needs_table) calls.push_back(bare);
    if (full.inputs.size() != bare.inputs.size()) calls.push_back(full);
  }
  return calls;
}

/// The shared sets, and two that must leave the same NaN and infinities on every device.
inline std::vector<support::InputSet> sample_sets() {
  std::vector<support::InputSet> sets(support::input_sets().begin(), support::input_sets().end());
  sets.push_back({"one_nan", [](Index row, Index col) {
                    return row == 1 && col == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                : support::input_sets().back().element(row, col);
                  }});
  sets.push_back({"infinities", [](Index row, Index col) {
                    constexpr double infinity = std::numeric_limits<double>::infinity();
                    if (row == 0 && col == 0) return infinity;
                    return row == 2 && col == 0 ? -infinity : support::input_sets().back().element(row, col);
                  }});
  return sets;
}

}  // namespace orrery::op
