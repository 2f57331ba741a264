// orrery apply: one op on arrays in files.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/op_call.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/cli/warnings.h"
#include "app/export/export.h"
#include "app/study/device_names.h"
#include "core/file/new_files.h"
#include "core/file/npy.h"
#include "core/file/tensor_path.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

struct ApplyOptions {
  std::string op, output, gradient, dtype, device = "cpu";
  std::vector<std::string> words, set;
  bool allow_nan = false, json = false;
};

std::vector<std::string_view> names_of_ops() {
  std::vector<std::string_view> names;
  for (const op::Op& o : op::table()) names.push_back(o.name);
  return names;
}

const op::Op& find_op(const std::string& name) {
  const auto names = names_of_ops();
  require("OP", name, name_phrase(joined(names)));
  if (std::ranges::find(names, name) == names.end()) {
    throw InvalidArgument(parameter::unknown(about(Subject::Kind::option, "OP"), name, names));
  }
  return op::find(name);
}

constexpr std::string_view dtype_names[] = {"f64", "f32", "f16", "bf16"};

std::ptrdiff_t infinities(const tensor::Values& values) {
  return values.visit([]<class Kept>(std::span<const Kept> kept) {
    return std::ranges::count_if(kept, [](Kept x) { return std::isinf(static_cast<double>(x)); });
  });
}

/// Files of this command: in the format of the values, or in the one that was asked for.
class Output {
 public:
  explicit Output(const std::string& dtype) {
    if (dtype.empty()) return;
    if (std::ranges::find(dtype_names, dtype) == std::end(dtype_names)) {
      throw InvalidArgument(
          parameter::unknown(about(Subject::Kind::option, "--dtype"), dtype, std::span(dtype_names)));
    }
    asked_ = tensor::format_from_name(dtype);
  }

  void write(file::NewFiles& files, const std::string& file, tensor::Array values) const {
    if (asked_) {
      const std::ptrdiff_t before = infinities(values.values);
      values.values.round_to(*asked_);
      values.format = *asked_;
      if (const std::ptrdiff_t lost = infinities(values.values) - before; lost > 0)
        warn(lost == 1
                 ? say("{}: 1 number is too large for {} and is infinite there", file, tensor::name(*asked_))
                 : say("{}: {} numbers are too large for {} and are infinite there", file, lost,
                       tensor::name(*asked_)));
    }
    file::write_npy(files, file, values, asked_ ? file::BrainFloats::kept : file::BrainFloats::widened);
  }

  /// NumPy has no bf16: unless it is asked for, such a result is stored in the narrowest format that holds every value.
  std::string_view dtype(tensor::Format storage) const {
    return tensor::name(asked_.value_or(storage == tensor::Format::bf16 ? tensor::Format::f32 : storage));
  }
  std::string text(tensor::Format storage) const {
    const std::string values(tensor::name(storage)), file(dtype(storage));
    return (values == file ? file : say("{} values, stored as {}", values, file)) +
           (file == "bf16" ? " (V2)" : "");
  }

 private:
  std::optional<tensor::Format> asked_;
};

/// OUT.npy and x → OUT.x.npy
std::string derivative_file(const std::string& output, std::string_view input) {
  return std::filesystem::path(output).replace_extension("." + std::string(input) + ".npy").string();
}

/// Who names OUT as he names an input means it; nobody types the name of a derivative's file.
void refuse_inputs(const std::string& file, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code none;
    if (!std::filesystem::equivalent(file, file::tensor_path_on_disk(input).file, none)) continue;
    throw InvalidArgument(about(Subject::Kind::option, "-o")
                              .found(file)
                              .fault("a derivative would go to {}, which is one of the inputs", file)
                              .allowed("another name"));
  }
}

std::string compute_text(const OpCall& call, const ApplyOptions& o) {
  if (call.staged) return "stages in " + std::string(tensor::name(call.call.precision.accumulate));
  return o.device == "ref" ? "f64" : std::string(tensor::name(call.call.compute));
}

void apply(const ApplyOptions& o) {
  const op::Op& op = find_op(o.op);
  require("-o", o.output, words("a file that ends in {}", ".npy"));
  constexpr std::string_view endings[] = {".npy"};
  ending_among("-o", o.output, endings);
  const Output output(o.dtype);
  OpCall call = prepare_call(op, o.words, o.set, parse_device(o.device), o.allow_nan);
  if (!o.gradient.empty()) require_derivative(call);

  const auto start = std::chrono::steady_clock::now();
  const tensor::Array result = carry_out(call);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  op::Gradients gradients;
  if (!o.gradient.empty()) gradients = differentiate(call, o.gradient, o.allow_nan);
  std::vector<std::string> inputs = call.files;
  if (!o.gradient.empty()) inputs.push_back(o.gradient);
  file::NewFiles files;
  output.write(files, o.output, result);
  nlohmann::ordered_json derivative_files = nlohmann::ordered_json::object();
  std::string derivative_lines;
  for (const auto& [input, derivative] : gradients) {
    const std::string file = derivative_file(o.output, input);
    refuse_inputs(file, inputs);
    output.write(files, file, derivative);
    derivative_files[input] = file;
    derivative_lines +=
        file + "  " + tensor::shape_text(derivative.shape) + "  " + output.text(call.storage) + "\n";
  }
  files.commit();

  const auto warnings =
      op.warnings != nullptr ? op.warnings(call.call) : std::vector<position::RopeWarning>();
  const std::string note = op.note != nullptr ? op.note(call.call) : "";
  if (o.json) {
    nlohmann::ordered_json said{{"file", o.output},
                                {"op", op.name},
                                {"shape", result.shape},
                                {"storage", tensor::name(call.storage)},
                                {"dtype", output.dtype(call.storage)},
                                {"compute", compute_text(call, o)},
                                {"device", o.device},
                                {"seconds", seconds},
                                {"derivatives", derivative_files}};
    if (!note.empty()) said["note"] = note;
    if (op.warnings != nullptr) said["warnings"] = warnings_json(warnings);
    return print_json(said);
  }
  print(o.output + "  " + tensor::shape_text(result.shape) + "  " + output.text(call.storage) +
        (note.empty() ? "" : "  " + translated(note)) + "\n" + derivative_lines);
  for (const position::RopeWarning& w : warnings) warn(warning_text(w));
}

}  // namespace

Command apply_command() {
  const auto o = std::make_shared<ApplyOptions>();
  using enum Offers::Kind;
  return {
      "apply",
      "one op on arrays in .npy or .safetensors files",
      {{"OP", &o->op, "", joined(names_of_ops()), Offers::Kind::op},
       {"IN.npy", &o->words, "", "the op's arrays, in its order: see `orrery list`", operation},
       set_argument(o->set, operation),
       {"-o,--output", &o->output, "OUT.npy", "where the result goes", {files, {".npy"}}},
       {"--device",
        &o->device,
        "NAME",
        "ref (double, the oracle), cpu or gpu (cpu)",
        {words, words_of(study::device_names)}},
       {"--dtype",
        &o->dtype,
        "NAME",
        "what OUT is stored in: f64, f32, f16, or bf16 (V2, as ml_dtypes has it); default: as it was computed",
        {words, {std::begin(dtype_names), std::end(dtype_names)}}},
       {"--vjp",
        &o->gradient,
        "G.npy",
        "a gradient of the result: write the derivative of every input beside OUT",
        {files, {".npy"}}},
       {"--allow-nan", &o->allow_nan, "", "let NaN through: it stays where the op's contract says"},
       {"--json", &o->json, "", "say what was done as JSON"}},
      [o] { return apply(*o); },
      {{"orrery apply rms_norm x.npy weight=w.npy eps=1e-5 -o y.npy", "one op on arrays saved by NumPy"},
       {"orrery apply softmax x.npy --vjp g.npy --device ref -o y.npy",
        "with its derivative, y.x.npy, in double"}}};
}

}  // namespace orrery::cli
