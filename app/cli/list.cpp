// orrery list: what there is to see, and what can be set.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/list_ops.h"
#include "app/cli/op_call.h"
#include "app/cli/parameter_json.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/cli/unread.h"
#include "app/export/text_runs.h"
#include "app/study/study.h"
#include "core/op/op.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;

struct ListOptions {
  bool json = false, ops = false, markdown = false;
};

ordered_json study_json(const study::Study& s) {
  ordered_json parameters = ordered_json::array();
  for (const auto& p : s.parameters) parameters.push_back(parameter_json(p));
  return {{"id", s.id},
          {"title", s.title},
          {"topic", s.topic},
          {"summary", s.summary},
          {"parameters", parameters}};
}

void print_parameters(std::span<const parameter::Parameter> parameters) {
  TextTable table("      ");
  for (const auto& p : parameters) {
    std::string allowed = say(parameter::allowed_phrase(p));
    if (!p.unit.empty()) allowed += say(", in {}", translated(p.unit));
    std::string help = exporter::plain_text(translated(p.help));
    if (!p.only_when.empty()) help += say("; read only when {}", conditions_text(p));
    table.row({std::string(p.name) + "=" + std::string(p.fallback), allowed, help});
  }
  print(table.text());
}

void print_studies() {
  std::string_view topic;
  for (const study::Study* s : study::studies()) {
    if (s->topic != topic) print((topic.empty() ? "" : "\n") + translated(s->topic) + "\n");
    topic = s->topic;
    print("\n  " + std::string(s->id) + "  " + exporter::plain_text(translated(s->summary)) + "\n");
    print_parameters(s->parameters);
  }
}

void print_ops() {
  const auto also = [](const FormatWord& word) {
    std::string text(word.name);
    for (const std::string_view value : format_values)
      text += (value == format_values.front() ? "=" : "|") + std::string(value);
    return text;
  };
  print(say("Ops of apply; each also takes {} and {}", also(format_words[0]), also(format_words[1])) +
        "\n\n");
  for (const op::Op& o : op::table()) {
    print("  " + std::string(o.name) + "  " + exporter::plain_text(translated(o.summary)) + "\n");
    TextTable inputs("      ");
    for (const op::Input& input : o.inputs) {
      inputs.row({input.positional ? std::string(input.name) : std::string(input.name) + "=FILE",
                  std::string(input.shape), exporter::plain_text(translated(input.help))});
    }
    inputs.row({say("twins"), twins_text(o)});
    print(inputs.text());
    print_parameters(o.parameters);
    print("\n");
  }
}

void list(const ListOptions& o) {
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
    for (const study::Study* s : study::studies()) all.push_back(study_json(*s));
    return print_json(all);
  }
  print_studies();
  print("\n");
  print_ops();
}

}  // namespace

Command list_command() {
  const auto o = std::make_shared<ListOptions>();
  return {"list",
          "the studies with their parameters, and the ops of apply",
          {{"--ops", &o->ops, "", "the ops alone"},
           {"--json", &o->json, "", "the studies as JSON; with --ops the ops, with their bounds and twins"},
           {"--markdown", &o->markdown, "", "with --ops: a table in Markdown, as the README has it"}},
          [o] { return list(*o); },
          {{"orrery list", "every study with its parameters, every op with its arrays"},
           {"orrery list --ops --json", "the op table for a program"}}};
}

}  // namespace orrery::cli
