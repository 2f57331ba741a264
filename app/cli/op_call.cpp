#include "app/cli/op_call.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/cli/print.h"
#include "core/file/npy.h"
#include "core/gpu/device.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using study::DeviceChoice;
using tensor::Array;
using tensor::Format;

/// "[1, 3]": where element i of an array of this shape stands.
std::string place(std::size_t i, const std::vector<tensor::Index>& shape) {
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto length = static_cast<std::size_t>(shape[axis]);
    text = std::to_string(i % length) + (text.empty() ? "" : ", ") + text;
    i /= length;
  }
  return "[" + text + "]";
}

void refuse_empty(const Array& a, std::string_view input, const std::string& file) {
  if (a.values.empty()) {
    throw InvalidArgument(std::string(input) + ": " + file + " is empty, " + tensor::shape_text(a.shape) +
                          "; allowed: at least one element");
  }
}

void refuse_nan(const Array& a, std::string_view input, const std::string& file) {
  const auto is_nan = [](double v) { return std::isnan(v); };
  const auto first = std::ranges::find_if(a.values, is_nan);
  if (first == a.values.end()) return;
  const auto count = std::count_if(first, a.values.end(), is_nan);
  throw InvalidArgument(std::string(input) + ": " + file + " holds " + std::to_string(count) +
                        " NaN, the first at " +
                        place(static_cast<std::size_t>(first - a.values.begin()), a.shape) +
                        "; allowed: numbers, or NaN with --allow-nan");
}

Array read_input(const op::Input& input, const std::string& file, bool allow_nan) {
  file::Npy npy = file::read_npy_file(file);
  if (npy.trailing_bytes > 0)
    warn(file + ": " + std::to_string(npy.trailing_bytes) + " bytes behind the data are ignored");
  refuse_empty(npy.array, input.name, file);
  if (!allow_nan) refuse_nan(npy.array, input.name, file);
  return std::move(npy.array);
}

std::vector<const op::Input*> positional_inputs(const op::Op& op) {
  std::vector<const op::Input*> inputs;
  for (const op::Input& input : op.inputs) {
    if (input.positional) inputs.push_back(&input);
  }
  return inputs;
}

std::string names_of(const std::vector<const op::Input*>& inputs) {
  std::string out;
  for (const op::Input* input : inputs) out += (out.empty() ? "" : ", ") + std::string(input->name);
  return out.empty() ? "none" : out;
}

/// The parameters are the op's own, so their errors are too; this one knows the words that are not parameters
/// besides.
void require_known(const op::Op& op, std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& p : op.parameters) known.push_back(p.name);
  for (const op::Input& input : op.inputs) {
    if (!input.positional) known.push_back(input.name);
  }
  known.insert(known.end(), {"storage", "accumulate"});
  if (std::ranges::find(known, name) != known.end()) return;
  throw InvalidArgument("--set " + std::string(name) + ": " + std::string(op.name) +
                        " has no such parameter" + parameter::did_you_mean(name, known) +
                        "; known: " + joined(known));
}

Format accumulation_format(std::string_view text) {
  constexpr std::array<std::string_view, 2> allowed{"f64", "f32"};
  if (std::ranges::find(allowed, text) == allowed.end()) {
    throw InvalidArgument("--set accumulate: found '" + std::string(text) + "'" +
                          parameter::did_you_mean(text, allowed) + "; allowed: " + joined(allowed));
  }
  return tensor::format_from_name(text);
}

Format storage_format(std::string_view text) {
  constexpr std::array<std::string_view, 4> allowed{"f64", "f32", "f16", "bf16"};
  if (std::ranges::find(allowed, text) == allowed.end()) {
    throw InvalidArgument("--set storage: found '" + std::string(text) + "'" +
                          parameter::did_you_mean(text, allowed) + "; allowed: " + joined(allowed));
  }
  return tensor::format_from_name(text);
}

/// What was typed, sorted by what it means.
struct Words {
  std::vector<std::string> files;
  std::vector<Assignment> named_files, parameters;
  std::optional<Format> storage, accumulate;
};

Words sort_words(const op::Op& op, const std::vector<std::string>& words,
                 const std::vector<std::string>& set) {
  Words sorted;
  std::vector<Assignment> assignments;
  for (const std::string& word : words) {
    if (word.find('=') == std::string::npos || word.find('/') < word.find('=')) {
      sorted.files.push_back(word);
    } else {
      assignments.push_back(parse_assignment(word));
    }
  }
  for (const std::string& text : set) assignments.push_back(parse_assignment(text));
  for (const Assignment& a : assignments) {
    require_known(op, a.name);
    const bool is_input = std::ranges::find(op.inputs, a.name, &op::Input::name) != op.inputs.end();
    if (a.name == "storage") {
      sorted.storage = storage_format(a.value);
    } else if (a.name == "accumulate") {
      sorted.accumulate = accumulation_format(a.value);
    } else {
      (is_input ? sorted.named_files : sorted.parameters).push_back(a);
    }
  }
  return sorted;
}

}  // namespace

OpCall prepare_call(const op::Op& op, const std::vector<std::string>& words,
                    const std::vector<std::string>& set, DeviceChoice device, bool allow_nan) {
  const Words typed = sort_words(op, words, set);
  const auto positional = positional_inputs(op);
  if (typed.files.size() != positional.size()) {
    throw InvalidArgument(std::string(op.name) + ": found " + std::to_string(typed.files.size()) +
                          " input files; allowed: " + std::to_string(positional.size()) + " (" +
                          names_of(positional) + ")");
  }
  OpCall out;
  out.op = &op;
  out.device = device;
  out.call.settings = parameter::Settings(op.parameters);
  for (const Assignment& a : typed.parameters) out.call.settings.set(a.name, a.value);

  auto& inputs = out.call.inputs;
  for (std::size_t i = 0; i < positional.size(); ++i) {
    inputs[std::string(positional[i]->name)] = read_input(*positional[i], typed.files[i], allow_nan);
  }
  for (const Assignment& a : typed.named_files) {
    inputs[a.name] = read_input(*std::ranges::find(op.inputs, a.name, &op::Input::name), a.value, allow_nan);
  }
  // Without an input that could say it: the widest format that the device computes in.
  const Format widest = device == DeviceChoice::gpu ? Format::f32 : Format::f64;
  out.storage = typed.storage.value_or(
      positional.empty() ? widest : inputs.find(positional.front()->name)->second.format);
  if (typed.storage) {
    for (auto& [name, array] : inputs) {
      tensor::round_to(*typed.storage, std::span<double>(array.values));
      array.format = *typed.storage;
    }
  }
  out.call.compute = typed.accumulate.value_or(out.storage == Format::f64 ? Format::f64 : Format::f32);
  return out;
}

Array carry_out(OpCall& c) {
  op::Twin twin = c.device == DeviceChoice::ref   ? c.op->ref
                  : c.device == DeviceChoice::cpu ? c.op->cpu
                                                  : c.op->gpu;
  if (twin == nullptr) {
    throw Failure("--device " + std::string(name(c.device)) + ": declines " + std::string(c.op->name) +
                  "; allowed: ref, cpu");
  }
  if (c.device == DeviceChoice::gpu) {
    if (c.call.compute == Format::f64) {
      throw Failure(
          "--device gpu: computes in f32 and declines f64; allowed: --set accumulate=f32, or --device cpu or "
          "ref");
    }
    c.call.device = &gpu::Device::of_this_thread();
  }
  Array result = twin(c.call);
  tensor::round_to(c.storage, std::span<double>(result.values));
  result.format = c.storage;
  return result;
}

}  // namespace orrery::cli
