// orrery apply: one op on arrays in files.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/op_call.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/export/export.h"
#include "app/study/device_names.h"
#include "core/file/npy.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

struct ApplyOptions {
  std::string op, output, gradient, device = "cpu";
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

/// NumPy has no bf16: such a result is stored in the narrowest format that holds every value.
std::string storage_text(tensor::Format storage) {
  const std::string_view name = tensor::name(storage);
  return storage == tensor::Format::bf16 ? say("{} values, stored as f32", name) : std::string(name);
}

/// OUT.npy and x → OUT.x.npy
std::string derivative_file(const std::string& output, std::string_view input) {
  return std::filesystem::path(output).replace_extension("." + std::string(input) + ".npy").string();
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
  OpCall call = prepare_call(op, o.words, o.set, parse_device(o.device), o.allow_nan);

  const auto start = std::chrono::steady_clock::now();
  const tensor::Array result = carry_out(call);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  op::Gradients gradients;
  if (!o.gradient.empty()) gradients = differentiate(call, o.gradient, o.allow_nan);
  file::write_npy(o.output, result);
  nlohmann::ordered_json derivative_files = nlohmann::ordered_json::object();
  for (const auto& [input, derivative] : gradients) {
    const std::string file = derivative_file(o.output, input);
    file::write_npy(file, derivative);
    derivative_files[input] = file;
  }

  const std::string note = op.note != nullptr ? op.note(call.call) : "";
  if (o.json) {
    nlohmann::ordered_json said{{"file", o.output},
                                {"op", op.name},
                                {"shape", result.shape},
                                {"storage", tensor::name(call.storage)},
                                {"compute", compute_text(call, o)},
                                {"device", o.device},
                                {"seconds", seconds},
                                {"derivatives", derivative_files}};
    if (!note.empty()) said["note"] = note;
    return print_json(said);
  }
  print(o.output + "  " + tensor::shape_text(result.shape) + "  " + storage_text(call.storage) +
        (note.empty() ? "" : "  " + translated(note)) + "\n");
}

}  // namespace

Command apply_command() {
  const auto o = std::make_shared<ApplyOptions>();
  using enum Offers::Kind;
  return {"apply",
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
