// orrery model: what models are made of, their parameters, operations and cache.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/model_report.h"
#include "app/cli/print.h"
#include "app/study/model/cards.h"
#include "app/study/model_facts.h"
#include "core/model/weights.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

struct ModelOptions {
  std::vector<std::string> names;
  std::string length, format;
  bool json = false;
};

/// What has an ending or stands in a folder is a file's name, and so is what there is.
bool is_file(const std::string& text) {
  std::error_code none;
  return text.find('/') != std::string::npos || text.ends_with(".json") ||
         std::filesystem::exists(text, none);
}

model::Card card_of(const std::string& text) {
  const auto names = study::card_names();
  if (std::ranges::find(names, text) != names.end()) return study::published_card(text);
  if (is_file(text)) return model::read_card(text, file::Accept::files_and_pipes);
  throw InvalidArgument(about(Subject::Kind::option, "NAME|CONFIG.json")
                            .found_text(text)
                            .allowed("a file, or one of the names that orrery model lists")
                            .near(parameter::nearest(text, names)));
}

tensor::Format format_of(const std::string& text) {
  constexpr auto known = std::to_array<std::string_view>({"f64", "f32", "bf16", "f16"});
  if (std::ranges::find(known, text) == known.end())
    throw InvalidArgument(parameter::unknown(about(Subject::Kind::option, "--format"), text, known));
  return tensor::format_from_name(text);
}

void list(bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  TextTable table("", {1});
  for (const std::string_view name : study::card_names()) {
    const double total = parameters_of(study::published_card(name)).total;
    all.push_back({{"name", name},
                   {"title", study::model_title(name)},
                   {"parameters", static_cast<std::int64_t>(total)}});
    table.row({std::string(name), std::to_string(static_cast<std::int64_t>(total)),
               std::string(study::model_title(name))});
  }
  if (json) return print_json(all);
  print(table.text());
}

void model(const ModelOptions& o) {
  if (o.names.empty()) return list(o.json);
  CostOf of{.length = 4096};
  if (!o.length.empty()) of.length = parse_whole("--length", o.length, 1, 1e9);
  if (!o.format.empty()) of.format = format_of(o.format);
  std::vector<model::Card> cards;
  for (const std::string& name : o.names) cards.push_back(card_of(name));
  if (!o.json) return print(model_text(cards, of));
  if (cards.size() == 1) return print_json(model_json(cards.front(), of));
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const model::Card& card : cards) all.push_back(model_json(card, of));
  print_json(all);
}

}  // namespace

Command model_command() {
  const auto o = std::make_shared<ModelOptions>();
  return {"model",
          "what models are made of, their parameters, operations and cache",
          {{"NAME|CONFIG.json",
            &o->names,
            "",
            "published models, or configurations; none: all names",
            {Offers::Kind::words, words_of(study::card_names())}},
           {"--length", &o->length, "N", "of the text, in tokens (default 4096)"},
           {"--format",
            &o->format,
            "FORMAT",
            "of the cache (default bf16)",
            {Offers::Kind::words, {"f64", "f32", "bf16", "f16"}}},
           {"--json", &o->json, "", "as JSON"}},
          [o] { return model(*o); },
          {{"orrery model gpt2 llama-3.1-8b deepseek-v3", "three side by side"},
           {"orrery model config.json --length 131072", "what a long text costs"}}};
}

}  // namespace orrery::cli
