// orrery evaluate: how well a trained model does, at lengths that it may never have met.
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/cli/training_commands.h"
#include "app/cli/training_words.h"
#include "app/experiment/report.h"
#include "app/experiment/train.h"
#include "core/file/new_files.h"
#include "core/file/npy.h"
#include "core/parameter/only_when.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using experiment::LengthReport;
using experiment::Report;

struct EvaluateWords {
  std::string folder, lengths, sequences, window, rule, factor, reading, seed, logits;
  bool json = false, by_place = false;
};

/// What was typed, over what the training's own settings ask.
void set_asked(const EvaluateWords& w, experiment::Settings& settings) {
  parameter::Settings& asked = settings.of(experiment::asked_section);
  for (const auto& [key, text] :
       {std::pair("lengths", &w.lengths), std::pair("sequences", &w.sequences),
        std::pair("window", &w.window), std::pair("rule", &w.rule), std::pair("factor", &w.factor),
        std::pair("reading", &w.reading), std::pair("seed", &w.seed)}) {
    if (text->empty()) continue;
    try {
      asked.set(key, *text);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(
          error.complaint().inner().within({Subject::Kind::option, name_phrase("--" + std::string(key))}));
    }
  }
}

/// What is typed has a use: a rule is of rotary positions, a factor of a rule.
void check_typed(const EvaluateWords& w, const experiment::Settings& settings) {
  const parameter::Settings& asked = settings.of(experiment::asked_section);
  if (!w.rule.empty() && asked.choice("rule") != "default" &&
      settings.of("model").choice("positions") != "rope")
    throw InvalidArgument(about(Subject::Kind::option, "--rule")
                              .found_text(w.rule)
                              .allowed("{}: the model has no rotary positions", "default"));
  for (const auto& [key, text] : {std::pair("factor", &w.factor), std::pair("reading", &w.reading)}) {
    const auto condition =
        parameter::unmet(*std::ranges::find(asked.declared(), key, &parameter::Parameter::name), asked);
    if (text->empty() || !condition) continue;
    std::string needed;
    for (const std::string_view value : condition->values)
      needed += (needed.empty() ? "--" + std::string(condition->name) + " " : "|") + std::string(value);
    throw InvalidArgument(
        about(Subject::Kind::option, "--" + std::string(key)).fault("goes with {}", in_apostrophes(needed)));
  }
}

/// About sixteen parts of the places that have a target, each with its mean.
void add_places(const LengthReport& report, TextTable& table) {
  std::vector<std::size_t> places;
  for (std::size_t t = 0; t < report.score.accuracy_by_place.size(); ++t)
    if (!std::isnan(report.score.accuracy_by_place[t])) places.push_back(t);
  constexpr std::size_t parts = 16;
  const std::size_t each = std::max<std::size_t>(1, (places.size() + parts - 1) / parts);
  for (std::size_t first = 0; first < places.size(); first += each) {
    const std::size_t end = std::min(places.size(), first + each);
    double loss = 0, met = 0, floor = 0;
    for (std::size_t i = first; i < end; ++i) {
      loss += report.score.loss_by_place[places[i]];
      met += report.score.accuracy_by_place[places[i]];
      if (report.floor) floor += report.floor_by_place[places[i]];
    }
    const auto n = static_cast<double>(end - first);
    table.row({std::to_string(report.length),
               std::to_string(places[first] + 1) + "–" + std::to_string(places[end - 1] + 1),
               number_text(loss / n), number_text(met / n), report.floor ? number_text(floor / n) : "–"});
  }
}

std::string text_of(const Report& report, bool by_place) {
  std::string text = say("{}: {} of {} steps, {} numbers, trained up to {} tokens", report.task, report.steps,
                         report.of_steps, report.parameters, report.trained) +
                     "\n";
  if (report.window > 0) text += say("every token from {} before it at most", report.window) + "\n";
  if (report.rule != "default") text += say("rotary positions stretched by {}", report.rule) + "\n";
  TextTable table("", {0, 1, 2, 3, 4});
  table.row({say("length"), by_place ? say("tokens read") : say("test sequences"), say("loss"),
             say("accuracy"), say("floor")});
  for (const LengthReport& each : report.lengths) {
    if (by_place)
      add_places(each, table);
    else
      table.row({std::to_string(each.length), std::to_string(each.sequences), number_text(each.score.loss),
                 number_text(each.score.accuracy), each.floor ? number_text(*each.floor) : "–"});
  }
  text += table.text();
  if (report.text) {
    const experiment::TextReport& of = *report.text;
    text +=
        say("on {} bytes that were trained the loss is {}; {} bytes are held out, without any context their loss is {}",
            of.trained, number_text(of.known), of.held_out, number_text(of.without_context)) +
        "\n";
    if (static_cast<std::size_t>(report.parameters) >= of.trained)
      text +=
          say("a model of so many numbers can know so little text by heart: what is held out tells what it learned") +
          "\n";
  }
  return text;
}

std::string tokens_beside(const std::string& logits) {
  return std::filesystem::path(logits).replace_extension(".tokens.npy").string();
}

/// OUT.npy and OUT.tokens.npy.
void write_logits(const std::string& path, const experiment::Said& said) {
  std::vector<double> numbers(said.logits.data(), said.logits.data() + said.logits.size());
  tensor::Array logits, tokens;
  logits.format = tensor::Format::f32;
  logits.shape = {said.logits.rows(), said.logits.cols()};
  logits.values = std::move(numbers);
  tokens.shape = {static_cast<tensor::Index>(said.tokens.size())};
  tokens.values = std::vector<double>(said.tokens.begin(), said.tokens.end());
  file::NewFiles files;
  file::write_npy(files, path, logits);
  file::write_npy(files, tokens_beside(path), tokens);
  files.commit();
}

void evaluate(const EvaluateWords& w) {
  require("DIR", w.folder, words("a folder that orrery train made"));
  if (!w.logits.empty()) ending_among("--logits", w.logits, std::to_array<std::string_view>({".npy"}));
  const experiment::RunFolder folder(w.folder);
  experiment::Settings settings = folder.read();
  const experiment::Plan trained = plan_in(folder.settings().string(), settings);
  folder.check_text(*trained.task);
  set_asked(w, settings);
  check_typed(w, settings);
  if (!folder.has_checkpoint())
    throw Failure(about(Subject::Kind::file, folder.path().string())
                      .fault("nothing is trained yet: there is no checkpoint.safetensors"));
  const training::Trainer trainer = trainer_of(folder, trained);
  // A table of learned rows is as long as it was trained, whatever is asked now.
  const transformer::Config& model = trainer.model().config();
  if (model.positions == transformer::Positions::learned)
    settings.of("model").set("length", parameter::Value(std::int64_t{model.length}));
  const experiment::Plan plan = experiment::plan_of(settings);
  const Report report = report_of(trainer, plan);
  // Last: what fails before it leaves every file as it is.
  if (!w.logits.empty()) write_logits(w.logits, first_said(trainer, plan));
  if (w.json) {
    nlohmann::ordered_json said = to_json(report);
    if (!w.logits.empty()) said["files"] = {w.logits, tokens_beside(w.logits)};
    return print_json(said);
  }
  if (!w.logits.empty())
    for (const std::string& file : {w.logits, tokens_beside(w.logits)})
      print(parameter::visible(file) + "\n");
  print(text_of(report, w.by_place));
  if (report.steps < report.of_steps)
    warn(say("the training is not at its end: {} of {} steps", report.steps, report.of_steps));
}

}  // namespace

Command evaluate_command() {
  const auto w = std::make_shared<EvaluateWords>();
  return {
      "evaluate",
      "loss and accuracy of a trained model, by length and by position",
      {{"DIR", &w->folder, "", "of the training", Offers::Kind::folder},
       {"--lengths", &w->lengths, "N,N,…", "of test sequences, several with commas (what the settings say)"},
       {"--sequences", &w->sequences, "NUMBER", "of each length"},
       {"--window", &w->window, "W", "predict every token from W tokens at most; 0: from all before it"},
       {"--rule",
        &w->rule,
        "NAME",
        "what makes rotary positions reach further",
        {Offers::Kind::words, {"default", "linear", "ntk", "by_parts", "yarn"}}},
       {"--factor", &w->factor, "S", "of the rule; auto: the length, or the window, over the trained length"},
       {"--reading", &w->reading, "NAME", "of yarn's ramp", {Offers::Kind::words, {"code", "paper"}}},
       {"--seed", &w->seed, "NUMBER", "of the test sequences"},
       {"--by-place", &w->by_place, "", "a line for every sixteenth of the tokens"},
       {"--logits", &w->logits, "OUT.npy",
        "write those of the first test sequence; its tokens to OUT.tokens.npy"},
       {"--json", &w->json, "", "as JSON, with every position"}},
      [w] { return evaluate(*w); },
      {{"orrery evaluate run --lengths 64,128,256", "at the trained length and past it"},
       {"orrery evaluate run --lengths 256 --rule yarn --window 128",
        "stretched, and with a window that slides"}}};
}

}  // namespace orrery::cli
