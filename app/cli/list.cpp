// orrery list: what there is to see, and what can be set.
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

struct ListOptions {
  std::string language = "en";
  bool json = false, ops = false, markdown = false;
};

ordered_json study_json(const study::Study& s, Language language) {
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

void list(const ListOptions& o) {
  const Language language = parse_language(o.language);
  if (o.markdown && !o.ops)
    throw InvalidArgument(about(Subject::Kind::option, "--markdown")
                              .fault("found without {}", "--ops")
                              .allowed(name_phrase("list --ops --markdown")));
  if (o.markdown && o.json)
    throw InvalidArgument(about(Subject::Kind::option, "--markdown")
                              .fault("found beside {}", "--json")
                              .allowed("one of the two"));
  if (o.markdown) return print(ops_markdown());
  if (o.ops && o.json) return print_json(ops_json());
  if (o.ops) return print_ops();
  if (o.json) {
    ordered_json all = ordered_json::array();
    for (const study::Study* s : study::studies()) all.push_back(study_json(*s, language));
    return print_json(all);
  }
  print_studies(language);
  print("\nOps of apply; each also takes storage=f64|f32|f16|bf16 and accumulate=f64|f32|f16|bf16\n\n");
  print_ops();
}

}  // namespace

Command list_command() {
  const auto o = std::make_shared<ListOptions>();
  return {"list",
          "the studies with their parameters, and the ops of apply",
          {language_argument(o->language, "of the studies' words"),
           {"--ops", &o->ops, "", "the ops alone"},
           {"--json", &o->json, "", "the studies as JSON; with --ops the ops, with their bounds and twins"},
           {"--markdown", &o->markdown, "", "with --ops: a table in Markdown, as the README has it"}},
          [o] { return list(*o); },
          {{"orrery list", "every study with its parameters, every op with its arrays"},
           {"orrery list --ops --json", "the op table for a program"}}};
}

}  // namespace orrery::cli
