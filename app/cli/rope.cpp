// orrery rope: what a model's config.json says about rotary positions, resolved.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/rope_report.h"

namespace orrery::cli {
namespace {

struct RopeOptions {
  std::string config, length;
  bool json = false;
};

void rope(const RopeOptions& o) {
  require("CONFIG.json", o.config, words("a model's configuration file"));
  std::optional<double> length;
  if (!o.length.empty()) length = parse_whole("--length", o.length, 1, 1e12);
  const model::RopeConfig config = model::read_rope_config(o.config, length, file::Accept::files_and_pipes);
  if (o.json) return print_json(rope_json(config));
  print(rope_text(config));
}

}  // namespace

Command rope_command() {
  const auto o = std::make_shared<RopeOptions>();
  return {"rope",
          "what a model's config.json says about rotary positions, resolved",
          {{"CONFIG.json", &o->config, "", "the model's configuration", {Offers::Kind::files, {".json"}}},
           {"--length", &o->length, "N", "current length in tokens, for rules that change with it"},
           {"--json", &o->json, "", "as JSON, with every frequency"}},
          [o] { return rope(*o); },
          {{"orrery rope config.json --length 131072", "what holds for a text of that length"}}};
}

}  // namespace orrery::cli
