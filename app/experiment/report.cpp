#include "app/experiment/report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace orrery::experiment {
namespace {

using nlohmann::ordered_json;

/// So many tokens go through a model at a time: memory stays flat however many sequences are asked.
constexpr Index tokens_at_once = 8192;

/// The model as it reads what is called n long: positions reach as far as a pass does, however many passes there are.
transformer::Transformer<float> model_at(const training::Trainer& trainer, const Plan& plan, Index n) {
  const auto tokens = static_cast<double>(pass_length(plan.settings, *plan.task, n));
  return transformer::Transformer<float>(
      training::extended(trainer.model().config(), extension_of(plan.settings, *plan.task), tokens));
}

/// Of one sequence, `length` tokens from `first` on.
transformer::Batch part_of(const transformer::Batch& one, Index first, Index length) {
  const auto cut = [&](const std::vector<Index>& all) {
    return std::vector<Index>(all.begin() + first, all.begin() + first + length);
  };
  return {.sequences = 1, .length = length, .tokens = cut(one.tokens), .targets = cut(one.targets)};
}

LengthReport report_at(const training::Trainer& trainer, const Plan& plan, Index n, Index sequences,
                       const std::function<void()>& between) {
  const parameter::Settings& asked = plan.settings.of(asked_section);
  const Task& task = *plan.task;
  const transformer::Transformer<float> model = model_at(trainer, plan, n);
  const Index window = asked.integer("window"), at_once = std::max<Index>(1, tokens_at_once / task.read(n)),
              windows_at_once = window > 0 ? std::max<Index>(1, tokens_at_once / window) : 1;
  const auto seed = static_cast<std::uint64_t>(asked.integer("seed"));
  transformer::Tape<float> tape;
  training::Tally tally;
  bool floor_known = false;
  for (Index first = 0; first < sequences; first += at_once) {
    const transformer::Batch batch =
        task.asked(n, first, std::min(at_once, sequences - first), sequences, seed);
    const auto floor = task.floor(batch);
    floor_known = floor.has_value();
    training::tally(model, trainer.values(), batch,
                    floor ? std::span<const double>(*floor) : std::span<const double>(), window, tape, tally,
                    between, windows_at_once);
  }
  LengthReport report{
      .length = n, .sequences = sequences, .score = tally.score(), .floor = {}, .floor_by_place = {}};
  if (floor_known) {
    report.floor = tally.floor();
    report.floor_by_place = tally.floor_by_place();
  }
  return report;
}

TextReport report_of_text(const training::Trainer& trainer, const Plan& plan, Index sequences,
                          const std::function<void()>& between) {
  const training::Text& text = *plan.task->text();
  const Index n = plan.task->trained(), at_once = std::max<Index>(1, tokens_at_once / n);
  transformer::Tape<float> tape;
  training::Tally tally;
  // Of the trained length, as many as are asked of what is held out, but only what one pass holds: to tell what is known by
  // heart, that is enough.
  const transformer::Batch all = plan.task->known(n, std::min(sequences, at_once));
  training::tally(trainer.model(), trainer.values(), all, {}, 0, tape, tally, between);
  return {.bytes = text.bytes.size(),
          .trained = text.of_training().size(),
          .held_out = text.held_out().size(),
          .without_context = training::loss_without_context(text),
          .known = tally.score().loss};
}

ordered_json number_or_null(double x) {
  return std::isfinite(x) ? ordered_json(x) : ordered_json();
}

ordered_json by_place(const LengthReport& report) {
  ordered_json place = ordered_json::array(), loss = place, accuracy = place, floor = place;
  for (std::size_t t = 0; t < report.score.loss_by_place.size(); ++t) {
    if (std::isnan(report.score.accuracy_by_place[t])) continue;
    place.push_back(t + 1);
    loss.push_back(number_or_null(report.score.loss_by_place[t]));
    accuracy.push_back(report.score.accuracy_by_place[t]);
    if (report.floor) floor.push_back(report.floor_by_place[t]);
  }
  return {{"place", place},
          {"loss", loss},
          {"accuracy", accuracy},
          {"floor", report.floor ? floor : ordered_json()}};
}

}  // namespace

Report report_of(const training::Trainer& trainer, const Plan& plan,
                 const std::function<void(double)>& between) {
  const parameter::Settings& asked = plan.settings.of(asked_section);
  const std::vector<Index> lengths = asked_lengths(plan.settings, *plan.task);
  const Index sequences = asked.integer("sequences");
  Report report{
      .task = plan.settings.of("task").choice("kind"),
      .rule = plan.trainer.model.positions == transformer::Positions::rope ? asked.choice("rule") : "default",
      .steps = trainer.steps(),
      .of_steps = plan.steps(),
      .left_out = trainer.left_out(),
      .parameters = trainer.model().layout().size(),
      .trained = plan.task->trained(),
      .window = asked.integer("window"),
      .text = {},
      .lengths = {}};
  const auto parts = static_cast<double>(lengths.size());
  const auto tell = [&] {
    if (between) between(static_cast<double>(report.lengths.size()) / parts);
  };
  if (plan.task->text()) report.text = report_of_text(trainer, plan, sequences, tell);
  for (const Index n : lengths) report.lengths.push_back(report_at(trainer, plan, n, sequences, tell));
  return report;
}

Said first_said(const training::Trainer& trainer, const Plan& plan) {
  const Index n = asked_lengths(plan.settings, *plan.task).front();
  const parameter::Settings& asked = plan.settings.of(asked_section);
  const transformer::Batch batch = plan.task->asked(n, 0, 1, asked.integer("sequences"),
                                                    static_cast<std::uint64_t>(asked.integer("seed")));
  const transformer::Transformer<float> model = model_at(trainer, plan, n);
  const Index length = pass_length(plan.settings, *plan.task, n);
  transformer::Tape<float> tape;
  model.forward(trainer.values(), part_of(batch, 0, length), tape);
  Said said{batch.tokens, tensor::Matrix<float>(batch.length, tape.logits.cols())};
  said.logits.topRows(length) = tape.logits;
  // Behind a window each token has a pass of its own, whose last one it is.
  for (Index t = length; t < batch.length; ++t) {
    model.forward(trainer.values(), part_of(batch, t + 1 - length, length), tape);
    said.logits.row(t) = tape.logits.row(length - 1);
  }
  return said;
}

ordered_json to_json(const Report& report) {
  ordered_json text;
  if (report.text)
    text = {{"bytes", report.text->bytes},
            {"trained", report.text->trained},
            {"held_out", report.text->held_out},
            {"without_context", report.text->without_context},
            {"known", number_or_null(report.text->known)}};
  ordered_json lengths = ordered_json::array();
  for (const LengthReport& each : report.lengths)
    lengths.push_back({{"length", each.length},
                       {"sequences", each.sequences},
                       {"loss", number_or_null(each.score.loss)},
                       {"accuracy", number_or_null(each.score.accuracy)},
                       {"floor", each.floor ? ordered_json(*each.floor) : ordered_json()},
                       {"by_place", by_place(each)}});
  return {{"task", report.task},
          {"steps", report.steps},
          {"of_steps", report.of_steps},
          {"left_out", report.left_out},
          {"parameters", report.parameters},
          {"trained", report.trained},
          {"window", report.window},
          {"rule", report.rule},
          {"text", text},
          {"lengths", lengths}};
}

std::string to_text(const Report& report) {
  return to_json(report).dump() + "\n";
}

}  // namespace orrery::experiment
