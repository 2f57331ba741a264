#include "app/cli/list_ops.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/op_call.h"
#include "app/cli/parameter_json.h"
#include "core/op/sample.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;
using tensor::Index;

ordered_json to_json(const tensor::Bound& bound, bool of_magnitude) {
  return {{"abs", bound.abs},
          {"rel", bound.rel},
          {"row", bound.row},
          {"nmse", bound.nmse},
          {"relative_to", of_magnitude ? "magnitude" : "result"}};
}

/// At one size: some bounds grow with it.
ordered_json bounds_json(const op::Op& o) {
  constexpr Index rows = 64, width = 256;
  op::Sizes sizes{
      .T = rows, .S = rows, .D = width, .d = width, .F = width, .H = 8, .V = rows, .N = 32, .M = 32};
  sizes[op::width_letter(o)] = std::min(width, o.sampling.most);
  const op::Call call =
      op::sample(o, op::sample_settings(o, sizes), sizes, op::random_values(1), op::Named::needed);
  const op::Bounds bounds = o.bounds(call);
  return {{"rows", rows},
          {"width", width},
          {"cpu", to_json(bounds.cpu, bounds.cpu_by_magnitude)},
          {"gpu", to_json(bounds.gpu, o.magnitude != nullptr)},
          {"cpu_in_double", to_json(bounds.cpu_in_double, bounds.cpu_by_magnitude)}};
}

std::vector<std::string> twins_of(const op::Op& o) {
  std::vector<std::string> twins{"ref", "cpu"};
  if (o.gpu != nullptr) twins.emplace_back("gpu");
  if (o.staged != nullptr) twins.emplace_back("staged");
  if (o.vjp != nullptr) twins.emplace_back("vjp");
  return twins;
}

ordered_json inputs_json(const op::Op& o) {
  ordered_json all = ordered_json::array();
  for (const op::Input& input : o.inputs) {
    ordered_json json = {{"name", input.name},
                         {"positional", input.positional},
                         {"shape", input.shape},
                         {"exact", input.exact()},
                         {"help", input.help}};
    if (!input.needed_when.empty()) json["needed_when"] = input.needed_when;
    all.push_back(std::move(json));
  }
  return all;
}

/// What every op takes besides its parameters.
ordered_json formats_json() {
  ordered_json all = ordered_json::array();
  for (const FormatWord& word : format_words)
    all.push_back({{"name", word.name}, {"choices", format_values}, {"help", word.help}});
  return all;
}

ordered_json to_json(const op::Op& o) {
  ordered_json parameters = ordered_json::array();
  for (const parameter::Parameter& p : o.parameters) parameters.push_back(parameter_json(p));
  return {{"name", o.name},
          {"group", o.group},
          {"summary", o.summary},
          {"formula", o.formula},
          {"inputs", inputs_json(o)},
          {"parameters", parameters},
          {"formats", formats_json()},
          {"bounds", bounds_json(o)},
          {"twins", twins_of(o)}};
}

/// "x (… × D), [weight (D)]": in brackets what may be left out.
std::string arrays_text(const op::Op& o) {
  std::string text;
  for (const op::Input& input : o.inputs) {
    const std::string array = std::string(input.name) + " (" + std::string(input.shape) + ")";
    text += (text.empty() ? "" : ", ") + (input.positional ? array : "[" + array + "]");
  }
  return text.empty() ? "–" : text;
}

}  // namespace

std::string twins_text(const op::Op& o) {
  std::string text;
  for (const std::string& twin : twins_of(o)) text += (text.empty() ? "" : ", ") + twin;
  return text;
}

ordered_json ops_json() {
  ordered_json all = ordered_json::array();
  for (const op::Op& o : op::table()) all.push_back(to_json(o));
  return all;
}

std::string ops_markdown() {
  std::string text = "| op | what it does | arrays | twins |\n|---|---|---|---|\n";
  for (const op::Op& o : op::table()) {
    text += "| " + std::string(o.name) + " | " + std::string(o.summary) + " | " + arrays_text(o) + " | " +
            twins_text(o) + " |\n";
  }
  return text;
}

}  // namespace orrery::cli
