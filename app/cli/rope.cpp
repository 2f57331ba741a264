// orrery rope: what a model's config.json says about rotary positions, resolved.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/rope_report.h"

namespace orrery::cli {
namespace {

struct Options {
  std::string config, length;
  bool json = false;
};

void rope(const Options& o) {
  require("CONFIG.json", o.config, "a model's configuration file");
  std::optional<double> length;
  if (!o.length.empty()) length = parse_number("--length", o.length, 1, 1e12);
  const model::RopeConfig config = model::read_rope_config(o.config, length, file::Accept::files_and_pipes);
  if (o.json) return print_json(to_json(config));
  print(to_text(config));
}

}  // namespace

void add_rope(CLI::App& root) {
  CLI::App* command =
      root.add_subcommand("rope", "what a model's config.json says about rotary positions, resolved");
  const auto o = std::make_shared<Options>();
  command->add_option("CONFIG.json", o->config, "the model's configuration");
  command->add_option("--length", o->length, "current length in tokens, for rules that change with it")
      ->type_name("N");
  command->add_flag("--json", o->json, "as JSON, with every frequency");
  command->callback([o] { rope(*o); });
}

}  // namespace orrery::cli
