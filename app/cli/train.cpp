// orrery train: one small Transformer, from a file of settings, in a folder that it can be taken up in.
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/batch_run.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/cli/stop_signals.h"
#include "app/cli/training_commands.h"
#include "app/cli/training_words.h"
#include "app/experiment/formats.h"
#include "app/experiment/train.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;

struct TrainWords {
  std::string settings, output, checkpoint_every;
  bool json = false, print_settings = false, markdown = false;
};

ordered_json json_of(const experiment::Trained& trained, const experiment::RunFolder& folder) {
  return {{"folder", folder.path().string()},
          {"checkpoint", folder.checkpoint().string()},
          {"step", trained.step},
          {"steps", trained.steps},
          {"begun_at", trained.begun_at},
          {"left_out", trained.left_out},
          {"loss", std::isfinite(trained.loss) ? ordered_json(trained.loss) : ordered_json()},
          {"seconds", trained.seconds}};
}

/// What is printed instead of training is what it is, for programs too.
void refuse_beside(const TrainWords& w) {
  const std::pair<std::string_view, bool> printed[] = {{"--print-settings", w.print_settings},
                                                       {"--markdown", w.markdown}};
  for (const auto& [option, given] : printed)
    if (given && w.json)
      throw InvalidArgument(
          about(Subject::Kind::option, "--json").fault("found beside {}", option).allowed("one of the two"));
  if (w.print_settings && w.markdown)
    throw InvalidArgument(about(Subject::Kind::option, "--print-settings")
                              .fault("found beside {}", "--markdown")
                              .allowed("one of the two"));
}

void train(const TrainWords& w) {
  refuse_beside(w);
  if (w.markdown) return print(experiment::formats_markdown());
  if (w.settings.empty() && w.print_settings) return print(to_toml(experiment::Settings()));
  require("SETTINGS", w.settings, words("a .toml file (--print-settings writes one with every key)"));
  const experiment::Settings settings = experiment::read_settings(w.settings);
  if (w.print_settings) return print(to_toml(settings));
  require("-o", w.output, words("a directory"));
  const double seconds = checkpoint_seconds(w.checkpoint_every);
  const experiment::Plan plan = plan_in(w.settings, settings);
  const experiment::RunFolder folder(w.output);
  experiment::Trained trained;
  {
    const StopSignals signals;
    TrainingLine line;
    trained = experiment::train(folder, plan,
                                {.checkpoint_seconds = seconds,
                                 .tell = [&](const experiment::Progress& p) { line.show(p); },
                                 .stopped = StopSignals::came});
  }
  if (w.json) print_json(json_of(trained, folder));
  if (!trained.done()) throw Failure(stopped_at(trained, folder));
  if (w.json) return;
  if (trained.begun_at == trained.steps)
    return print(say("{}: all {} steps were done before", parameter::visible(w.output), trained.steps) +
                 "\n");
  print(say("{}: {} steps, the last one's loss {}, {} s", parameter::visible(w.output), trained.steps,
            number_text(trained.loss), short_number(trained.seconds)) +
        "\n");
  if (trained.left_out > 0)
    warn(say("{} steps were left out: their gradients were no numbers", trained.left_out));
}

}  // namespace

Command train_command() {
  const auto w = std::make_shared<TrainWords>();
  return {"train",
          "a small Transformer, from a file of settings; goes on where it was stopped",
          {{"SETTINGS", &w->settings, "", "what is trained, a .toml file", {Offers::Kind::files, {".toml"}}},
           output_folder(w->output),
           checkpoint_argument(w->checkpoint_every),
           {"--print-settings", &w->print_settings, "",
            "print all settings, of the file or the usual ones, and train nothing"},
           {"--markdown", &w->markdown, "", "print the table of all settings as Markdown, and train nothing"},
           {"--json", &w->json, "", "say what was done as JSON"}},
          [w] { return train(*w); },
          {{"orrery train --print-settings > settings.toml", "a file with every key, to change"},
           {"orrery train settings.toml -o run", "train, or go on training"}}};
}

}  // namespace orrery::cli
