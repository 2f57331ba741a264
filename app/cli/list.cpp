// orrery list: what there is to see, and what can be set.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/list_ops.h"
#include "app/cli/parameter_json.h"
#include "app/cli/print.h"
#include "app/study/study.h"
#include "core/op/op.h"
#include "core/parameter/only_when.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using language::Language;
using language::say;
using nlohmann::ordered_json;

ordered_json to_json(const study::Study& s, Language language) {
  ordered_json parameters = ordered_json::array();
  for (const auto& p : s.parameters) parameters.push_back(parameter_json(p, language));
  return {{"id", s.id},
          {"title", say(language, s.title)},
          {"topic", say(language, s.topic)},
          {"summary", say(language, s.summary)},
          {"parameters", parameters}};
}

void print_parameters(std::span<const parameter::Parameter> parameters, Language language) {
  TextTable table("      ");
  for (const auto& p : parameters) {
    std::string allowed = parameter::allowed_text(p);
    if (!p.unit.empty()) allowed += ", in " + std::string(p.unit);
    std::string help = say(language, p.help);
    if (!p.only_when.empty()) help += "; read only when " + parameter::only_when_text(p);
    table.row({std::string(p.name) + "=" + std::string(p.fallback), allowed, help});
  }
  print(table.text());
}

void print_studies(Language language) {
  std::string_view topic;
  for (const study::Study* s : study::studies()) {
    if (s->topic != topic) print((topic.empty() ? "" : "\n") + say(language, s->topic) + "\n");
    topic = s->topic;
    print("\n  " + std::string(s->id) + "  " + say(language, s->summary) + "\n");
    print_parameters(s->parameters, language);
  }
}

void print_ops() {
  for (const op::Op& o : op::table()) {
    print("  " + std::string(o.name) + "  " + std::string(o.summary) + "\n");
    TextTable inputs("      ");
    for (const op::Input& input : o.inputs) {
      inputs.row({input.positional ? std::string(input.name) : std::string(input.name) + "=FILE",
                  std::string(input.shape), std::string(input.help)});
    }
    print(inputs.text());
    print_parameters(o.parameters, Language::en);
    print("\n");
  }
}

}  // namespace

void add_list(CLI::App& root) {
  CLI::App* command = root.add_subcommand("list", "the studies with their parameters, and the ops of apply");
  const auto json = std::make_shared<bool>(false), ops = std::make_shared<bool>(false),
             markdown = std::make_shared<bool>(false);
  const auto code = std::make_shared<std::string>("en");
  add_language(*command, *code, "of the studies' words");
  command->add_flag("--ops", *ops, "the ops alone");
  command->add_flag("--json", *json, "the studies as JSON; with --ops the ops, with their bounds and twins");
  command->add_flag("--markdown", *markdown, "with --ops: a table in Markdown, as the README has it");
  command->callback([json, ops, markdown, code] {
    const Language language = parse_language(*code);
    if (*markdown && !*ops)
      throw InvalidArgument("--markdown: found without --ops; allowed: list --ops --markdown");
    if (*markdown && *json) throw InvalidArgument("--markdown: found beside --json; allowed: one of the two");
    if (*markdown) return print(ops_markdown());
    if (*ops && *json) return print_json(ops_json());
    if (*ops) return print_ops();
    if (*json) {
      ordered_json all = ordered_json::array();
      for (const study::Study* s : study::studies()) all.push_back(to_json(*s, language));
      return print_json(all);
    }
    print_studies(language);
    print("\nOps of apply; each also takes storage=f64|f32|f16|bf16 and accumulate=f64|f32|f16|bf16\n\n");
    print_ops();
  });
}

}  // namespace orrery::cli
