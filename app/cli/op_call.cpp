#include "app/cli/op_call.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/study/device_names.h"
#include "core/file/npy.h"
#include "core/file/safetensors.h"
#include "core/file/tensor_files.h"
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
  std::vector<tensor::Index> at(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto length = static_cast<std::size_t>(shape[axis]);
    at[axis] = static_cast<tensor::Index>(i % length);
    i /= length;
  }
  return tensor::place_text(at);
}

Subject by_set() {
  return {Subject::Kind::option, name_phrase("--set")};
}

void refuse_empty(const Array& a, std::string_view input, const std::string& file) {
  if (a.values.empty()) {
    throw InvalidArgument(about(Subject::Kind::input, input)
                              .found(file)
                              .fault("{} is empty, {}", file, tensor::shape_text(a.shape))
                              .allowed("at least one element"));
  }
}

void refuse_nan(const Array& a, std::string_view input, const std::string& file) {
  a.values.visit([&](auto values) {
    const auto is_nan = [](auto v) { return std::isnan(v); };
    const auto first = std::ranges::find_if(values, is_nan);
    if (first == values.end()) return;
    const auto count = std::count_if(first, values.end(), is_nan);
    const std::string at = place(static_cast<std::size_t>(first - values.begin()), a.shape);
    throw InvalidArgument(about(Subject::Kind::input, input)
                              .found(file)
                              .fault("{} holds {} NaN, the first at {}", file, count, at)
                              .allowed("numbers, or NaN with {}", "--allow-nan"));
  });
}

Array read_array(const std::string& file) {
  const file::TensorPath path = file::tensor_path_on_disk(file);
  if (file::is_safetensors(path.file)) return file::read_safetensors(path.file, path.tensor);
  if (file::holds_several(path.file)) return file::open_tensor(path).read();
  file::Npy npy = file::read_npy_file(file, file::Accept::files_and_pipes);
  if (npy.trailing_bytes > 0) warn(say("{}: {} bytes behind the data are ignored", file, npy.trailing_bytes));
  if (npy.array.format == tensor::Format::bf16)
    warn(say("{}: V2 is read as bf16, as ml_dtypes writes it", file));
  return std::move(npy.array);
}

Array read_input(const op::Input& input, const std::string& file, bool allow_nan) {
  if (file.empty())
    throw InvalidArgument(about(Subject::Kind::input, input.name)
                              .fault("found no file name")
                              .allowed("a .npy file, or {}", "FILE.safetensors#TENSOR"));
  Array array = read_array(file);
  refuse_empty(array, input.name, file);
  if (!allow_nan) refuse_nan(array, input.name, file);
  return array;
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
  return out;
}

/// The parameters are the op's own, so their errors are too; this one knows the words that are not parameters
/// besides.
void require_known(const op::Op& op, std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& p : op.parameters) known.push_back(p.name);
  for (const op::Input& input : op.inputs) {
    if (!input.positional) known.push_back(input.name);
  }
  for (const FormatWord& word : format_words) known.push_back(word.name);
  if (std::ranges::find(known, name) != known.end()) return;
  throw InvalidArgument(parameter::unknown(about(name), name, known)
                            .fault("{} has no such parameter", op.name)
                            .led_by("; known: ")
                            .within(by_set()));
}

Format format_of(const Assignment& a) {
  if (std::ranges::find(format_values, a.value) == format_values.end()) {
    throw InvalidArgument(parameter::unknown(about(a.name), a.value, format_values).within(by_set()));
  }
  return tensor::format_from_name(a.value);
}

bool narrow(Format f) {
  return f == Format::f16 || f == Format::bf16;
}

/// Fast twins compute in f64 or f32. Narrower formats, kept or computed in, are rounded stage by stage: on the cpu, by ops
/// that have stages. An op without them still takes narrow values in and gives them out, computed in f32.
void choose_arithmetic(OpCall& out, std::optional<Format> accumulate) {
  op::Call& call = out.call;
  call.precision = {out.storage, accumulate.value_or(out.storage == Format::f64 ? Format::f64 : Format::f32)};
  const bool on_cpu = out.device == DeviceChoice::cpu;
  out.staged =
      on_cpu && out.op->staged != nullptr && (narrow(out.storage) || narrow(call.precision.accumulate));
  if (narrow(call.precision.accumulate) && !out.staged) {
    const std::string_view found = tensor::name(call.precision.accumulate);
    Complaint narrow_here = about("accumulate").found_text(found);
    if (on_cpu)
      narrow_here.fault("found {}; {} has no stages that round to it", in_apostrophes(found), out.op->name)
          .allowed(name_phrase("f64, f32"));
    else
      narrow_here.led_by("; allowed with this device: ")
          .allowed("f64, f32; {} rounds every stage", "--device cpu");
    throw InvalidArgument(narrow_here.within(by_set()));
  }
  call.compute = out.staged ? Format::f32 : call.precision.accumulate;
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
  std::vector<std::string> names;
  for (const Assignment& a : assignments) names.push_back(a.name);
  refuse_repeated("--set", names);
  for (const Assignment& a : assignments) {
    require_known(op, a.name);
    const bool is_input = std::ranges::find(op.inputs, a.name, &op::Input::name) != op.inputs.end();
    if (a.name == "storage") {
      sorted.storage = format_of(a);
    } else if (a.name == "accumulate") {
      sorted.accumulate = format_of(a);
    } else {
      (is_input ? sorted.named_files : sorted.parameters).push_back(a);
    }
  }
  return sorted;
}

Array stored(Array result, Format storage) {
  result.values.round_to(storage);
  result.format = storage;
  return result;
}

}  // namespace

OpCall prepare_call(const op::Op& op, const std::vector<std::string>& words,
                    const std::vector<std::string>& set, DeviceChoice device, bool allow_nan) {
  const Words typed = sort_words(op, words, set);
  const auto positional = positional_inputs(op);
  if (typed.files.size() != positional.size()) {
    throw InvalidArgument(about(Subject::Kind::op, op.name)
                              .found(typed.files.size())
                              .fault(typed.files.size() == 1
                                         ? orrery::words("found {} input file", 1)
                                         : orrery::words("found {} input files", typed.files.size()))
                              .allowed(positional.empty() ? orrery::words("none")
                                                          : name_phrase(std::to_string(positional.size()) +
                                                                        " (" + names_of(positional) + ")")));
  }
  OpCall out;
  out.op = &op;
  out.device = device;
  out.call.settings = parameter::Settings(op.parameters);
  for (const Assignment& a : typed.parameters) {
    cli::set(out.call.settings, a);
    out.call.given.insert(a.name);
  }

  auto& inputs = out.call.inputs;
  for (std::size_t i = 0; i < positional.size(); ++i) {
    inputs[std::string(positional[i]->name)] = read_input(*positional[i], typed.files[i], allow_nan);
    out.files.push_back(typed.files[i]);
  }
  for (const Assignment& a : typed.named_files) {
    inputs[a.name] = read_input(*std::ranges::find(op.inputs, a.name, &op::Input::name), a.value, allow_nan);
    out.files.push_back(a.value);
  }
  // Without an input that could say it: the widest format that the device computes in.
  const Format widest = device == DeviceChoice::gpu ? Format::f32 : Format::f64;
  const auto first = std::ranges::find(positional, false, &op::Input::exact);
  out.storage =
      typed.storage.value_or(first == positional.end() ? widest : inputs.find((*first)->name)->second.format);
  if (typed.storage) {
    for (const op::Input& input : op.inputs) {
      const auto at = inputs.find(input.name);
      if (at == inputs.end() || input.exact()) continue;
      at->second = stored(std::move(at->second), *typed.storage);
    }
  }
  choose_arithmetic(out, typed.accumulate);
  return out;
}

Array carry_out(OpCall& c) {
  op::Twin twin = c.staged                        ? c.op->staged
                  : c.device == DeviceChoice::ref ? c.op->ref
                  : c.device == DeviceChoice::cpu ? c.op->cpu
                                                  : c.op->gpu;
  if (twin == nullptr) {
    throw Failure(about(Subject::Kind::option, "--device " + std::string(study::device_name(c.device)))
                      .fault("declines {}", c.op->name)
                      .allowed(name_phrase("ref, cpu")));
  }
  if (c.device == DeviceChoice::gpu) {
    if (c.call.compute == Format::f64) {
      throw Failure(about(Subject::Kind::option, "--device gpu")
                        .fault("computes in f32 and declines f64")
                        .allowed("--set accumulate=f32, or --device cpu or ref"));
    }
    c.call.device = &gpu::Device::of_this_thread();
  }
  return stored(twin(c.call), c.storage);
}

void require_derivative(const OpCall& c) {
  const std::string name(c.op->name);
  if (c.op->vjp == nullptr)
    throw InvalidArgument(about(Subject::Kind::option, "--vjp")
                              .fault("{} has no derivative; see {}", name, "`orrery list --ops`"));
  if (c.device == DeviceChoice::gpu) {
    throw Failure(about(Subject::Kind::option, "--vjp")
                      .fault("derivatives are computed on the processor")
                      .allowed("--device cpu or ref"));
  }
}

op::Gradients differentiate(OpCall& c, const std::string& gradient_file, bool allow_nan) {
  require_derivative(c);
  const Array gradient = read_input({.name = "--vjp"}, gradient_file, allow_nan);
  op::Call call = c.call;
  // Rounding is a staircase, whose derivative is 0 or none: it is passed straight through, as autograd passes a cast.
  if (c.device == DeviceChoice::ref || c.call.precision.accumulate == Format::f64) call.compute = Format::f64;
  op::Gradients gradients = c.op->vjp(call, gradient);
  for (auto& [input, derivative] : gradients) derivative = stored(std::move(derivative), c.storage);
  return gradients;
}

}  // namespace orrery::cli
