// orrery inspect: what a file holds, whatever it is called.
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/rope_report.h"
#include "app/cli/speech.h"
#include "app/export/export.h"
#include "app/recipe/recipe.h"
#include "core/file/bytes.h"
#include "core/file/npy.h"
#include "core/file/safetensors.h"
#include "core/tensor/error.h"
#include "core/tensor/summary.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;

struct InspectOptions {
  std::string path;
  bool json = false;
};

enum class Kind { npy, safetensors, pdf, svg, png, webp, tex, toml, json };

/// By the first bytes, because names lie; by the ending where bytes say nothing.
Kind kind_of(const std::string& path) {
  const std::string head = file::read_head(path, 512);
  const auto letter = head.find_first_not_of(" \t\r\n");
  const std::string ending = std::filesystem::path(path).extension().string();
  if (head.starts_with("\x93NUMPY") || ending == ".npy") return Kind::npy;
  if (ending == ".safetensors") return Kind::safetensors;
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

/// One array, whatever file it comes from; its numbers are looked through, not kept.
void report(const std::string& name, const file::StoredArray& array, bool json) {
  tensor::Summary s;
  array.for_each_block([&](std::span<const double> block) { s.add(block); });
  if (json) {
    return print_json(ordered_json::array({{{"name", name},
                                            {"dtype", array.dtype},
                                            {"shape", array.shape},
                                            {"bytes", array.bytes()},
                                            {"min", s.min()},
                                            {"max", s.max()},
                                            {"mean", s.mean()},
                                            {"nan", s.nan()},
                                            {"infinite", s.infinite()}}}));
  }
  TextTable table;
  table.row({say("name"), name});
  table.row({say("number type"), array.dtype});
  table.row({say("shape"), tensor::shape_text(array.shape)});
  table.row({say("bytes"), std::to_string(array.bytes())});
  table.row({say("minimum"), short_number(s.min())});
  table.row({say("maximum"), short_number(s.max())});
  table.row({say("mean"), short_number(s.mean())});
  if (s.nan() > 0) table.row({"NaN", std::to_string(s.nan())});
  if (s.infinite() > 0) table.row({say("infinite"), std::to_string(s.infinite())});
  print(table.text());
}

void inspect_npy(const std::string& path, bool json) {
  const file::StoredArray npy = file::open_npy(path);
  if (const std::uint64_t more = trailing_bytes(npy); more > 0)
    warn(say("{}: {} bytes behind the data are ignored", path, more));
  if (npy.type.kind == file::NumberKind::brain_real)
    warn(say("{}: V2 is read as bf16, as ml_dtypes writes it", path));
  report(std::filesystem::path(path).stem().string(), npy, json);
}

/// All tensors by their header, without reading their numbers, which may be many gigabytes; or the one that is named.
void inspect_safetensors(const file::TensorPath& path, bool json) {
  if (!path.tensor.empty()) return report(path.tensor, file::open_safetensors(path.file, path.tensor), json);
  const auto entries = file::read_safetensors_header(path.file).entries;
  if (!json) {
    TextTable table;
    for (const file::SafetensorsEntry& e : entries)
      table.row({e.name, e.dtype, tensor::shape_text(e.shape), std::to_string(e.end - e.begin)});
    return print(table.text());
  }
  ordered_json all = ordered_json::array();
  for (const file::SafetensorsEntry& e : entries)
    all.push_back({{"name", e.name},
                   {"dtype", e.dtype},
                   {"shape", e.shape},
                   {"bytes", e.end - e.begin},
                   {"min", nullptr},
                   {"max", nullptr},
                   {"mean", nullptr}});
  print_json(all);
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
  const file::TensorPath parts = file::tensor_path(path);
  switch (kind_of(parts.file.string())) {
    case Kind::npy:
      return inspect_npy(path, json);
    case Kind::safetensors:
      return inspect_safetensors(parts, json);
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
  return {"inspect",
          "what an array, a figure or a model's configuration holds",
          {{"FILE",
            &o->path,
            "",
            ".npy, .safetensors, .pdf, .svg, .png, .tex, .webp, .toml or config.json",
            {Offers::Kind::files,
             {".npy", ".safetensors", ".pdf", ".svg", ".png", ".tex", ".webp", ".toml", ".json"}}},
           {"--json", &o->json, "", "as JSON"}},
          [o] { return inspect(o->path, o->json); },
          {{"orrery inspect norm.pdf > norm.toml", "the recipe inside a figure, to change by hand"}}};
}

}  // namespace orrery::cli
