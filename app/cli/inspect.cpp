// orrery inspect: what a file holds, whatever it is called.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/inspect_tensors.h"
#include "app/cli/print.h"
#include "app/cli/rope_report.h"
#include "app/cli/speech.h"
#include "app/export/export.h"
#include "app/recipe/recipe.h"
#include "core/file/bytes.h"
#include "core/file/tensor_files.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;

struct InspectOptions {
  std::string path;
  bool json = false;
};

enum class Kind { npy, pdf, svg, png, webp, tex, toml, json };

/// By the first bytes, because names lie; by the ending where bytes say nothing.
Kind kind_of(const std::string& path) {
  const std::string head = file::read_head(path, 512);
  const auto letter = head.find_first_not_of(" \t\r\n");
  const std::string ending = std::filesystem::path(path).extension().string();
  if (head.starts_with("\x93NUMPY") || ending == ".npy") return Kind::npy;
  if (head.starts_with("%PDF") || ending == ".pdf") return Kind::pdf;
  if (head.starts_with("\x89PNG") || ending == ".png") return Kind::png;
  if (head.find("<svg") != std::string::npos || ending == ".svg") return Kind::svg;
  if (head.starts_with("RIFF") || ending == ".webp") return Kind::webp;
  if (head.starts_with('%') || ending == ".tex") return Kind::tex;
  if (ending == ".toml") return Kind::toml;
  if (ending == ".json" || (letter != std::string::npos && head[letter] == '{')) return Kind::json;
  throw Failure(
      wrong("is nothing that is known")
          .allowed(name_phrase(".npy, .safetensors, .pdf, .svg, .png, .tex, .webp, .toml, config.json"))
          .within(in_file(path)));
}

void inspect_figure(const std::string& path, const char* format, bool json) {
  const std::string recipe = exporter::read_recipe(path);
  static_cast<void>(
      recipe::recipes_from_toml(recipe, path));  // what cannot be rendered again is said to be so
  if (json) return print_json({{"format", format}, {"recipe", recipe}});
  // A comment of TOML: `orrery inspect fig.pdf > fig.toml` is a recipe.
  print("# " + say("{} with this recipe", format) + "\n" + recipe);
}

void inspect(const std::string& path, bool json) {
  require("FILE", path, name_phrase(".npy, .safetensors, .pdf, .svg, .png, .tex, .webp, .toml, config.json"));
  const file::TensorPath parts = file::tensor_path_on_disk(path);
  if (file::holds_several(parts.file)) return inspect_tensors(parts, json);
  switch (kind_of(path)) {
    case Kind::npy:
      return inspect_npy(path, json);
    case Kind::pdf:
      return inspect_figure(path, "pdf", json);
    case Kind::svg:
      return inspect_figure(path, "svg", json);
    case Kind::png:
      return inspect_figure(path, "png", json);
    case Kind::webp:
      return inspect_figure(path, "webp", json);
    case Kind::tex:
      return inspect_figure(path, "tex", json);
    case Kind::toml:
      return inspect_figure(path, "toml", json);
    case Kind::json:
      break;
  }
  const model::RopeConfig config = model::read_rope_config(path);
  if (json) return print_json(rope_json(config));
  print(rope_text(config));
}

}  // namespace

Command inspect_command() {
  const auto o = std::make_shared<InspectOptions>();
  return {
      "inspect",
      "what an array, a figure or a model's configuration holds",
      {{"FILE",
        &o->path,
        "",
        ".npy, .safetensors, .pdf, .svg, .png, .tex, .webp, .toml or config.json",
        {Offers::Kind::files,
         {".npy", ".safetensors", ".pdf", ".svg", ".png", ".tex", ".webp", ".toml", ".json"}}},
       {"--json", &o->json, "", "as JSON"}},
      [o] { return inspect(o->path, o->json); },
      {{"orrery inspect norm.pdf > norm.toml", "the recipe inside a figure, to change by hand"},
       {"orrery inspect model.safetensors.index.json", "all tensors of a model, and in which file each is"},
       {"orrery inspect model/#model.norm.weight", "one of a folder as downloaded, with its statistics"}}};
}

}  // namespace orrery::cli
