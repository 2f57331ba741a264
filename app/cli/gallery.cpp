// orrery gallery: every built-in recipe as a file.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/drawing.h"
#include "app/cli/print.h"
#include "app/export/export.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

struct Options {
  std::string output, format = "pdf";
};

void make_directory(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!std::filesystem::is_directory(directory)) {
    throw Failure(directory.string() +
                  ": cannot be made a directory: " + (error ? error.message() : "a file is in its place"));
  }
}

void gallery(const Options& o) {
  require("-o", o.output, "a directory");
  const std::string name = "." + o.format;
  const auto endings = exporter::figure_endings();
  if (std::ranges::find(endings, name) == endings.end())
    throw InvalidArgument("--format: found '" + o.format + "'; allowed: pdf, svg, png");
  make_directory(o.output);
  for (int i = 0; i < study::built_in_recipes_count; ++i) {
    const tensor::EmbeddedFile& built_in = study::built_in_recipes[i];
    const study::Recipe recipe = study::recipe_from_toml(built_in.text, built_in.name);
    const study::Outcome outcome = compute(recipe);
    const auto file = (std::filesystem::path(o.output) / built_in.name).replace_extension(name);
    write_outcome(outcome, recipe, 300, file);
    print(std::to_string(i + 1) + "/" + std::to_string(study::built_in_recipes_count) + "  " + file.string() +
          "  " + short_number(outcome.seconds) + " s\n");
  }
}

}  // namespace

void add_gallery(CLI::App& root) {
  CLI::App* command = root.add_subcommand("gallery", "the built-in figures, all of them, in a directory");
  const auto o = std::make_shared<Options>();
  command->add_option("-o,--output", o->output, "the directory; made when it is not there")->type_name("DIR");
  command->add_option("--format", o->format, "pdf, svg or png (pdf)")->type_name("NAME");
  command->callback([o] { gallery(*o); });
}

}  // namespace orrery::cli
