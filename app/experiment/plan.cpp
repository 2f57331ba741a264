#include "app/experiment/plan.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/parameter/parameter.h"
#include "core/tensor/error.h"

namespace orrery::experiment {
namespace {

namespace tf = transformer;

/// The value of an enumeration that a choice names: its names stand in the order of its values.
template <class Enum, std::size_t Count>
Enum named(const parameter::Settings& settings, std::string_view key,
           const std::array<std::string_view, Count>& names) {
  const auto found = std::ranges::find(names, settings.choice(key));
  return static_cast<Enum>(found - names.begin());
}

constexpr auto placements = std::to_array<std::string_view>(
    {"post", "pre", "sandwich", "output", "deep_norm", "parallel", "parallel_one_norm"});
constexpr auto qk_norms = std::to_array<std::string_view>({"none", "heads", "whole"});
constexpr auto positions =
    std::to_array<std::string_view>({"none", "learned", "sinusoidal", "rope", "alibi", "t5", "fire"});
constexpr auto layouts = std::to_array<std::string_view>({"interleaved", "half"});
constexpr auto spreads = std::to_array<std::string_view>(
    {"normal", "lecun_normal", "xavier_normal", "xavier_uniform", "he_normal"});
constexpr auto streams = std::to_array<std::string_view>({"as_others", "divided", "zero"});
constexpr auto schedules =
    std::to_array<std::string_view>({"constant", "inverse_root", "cosine", "linear", "stable"});

tf::Config model_of(const Settings& settings, const Task& task) {
  const parameter::Settings& s = settings.of("model");
  tf::Config m;
  m.vocabulary = task.vocabulary();
  m.width = s.integer("width");
  m.layers = s.integer("layers");
  m.heads = s.integer("heads");
  m.key_value_heads = s.integer("key_value_heads");
  m.head_width = s.integer("head_width");
  m.hidden = s.integer("hidden");
  m.norm = {.kind = s.choice("norm") == "rms" ? tf::NormKind::rms : tf::NormKind::layer,
            .eps = s.real("norm_eps"),
            .bias = s.toggle("norm_bias")};
  m.placement = named<tf::Placement>(s, "placement", placements);
  m.embedding_norm = s.toggle("embedding_norm");
  if (s.choice("final_norm") != "auto") m.final_norm = s.choice("final_norm") == "on";
  m.qk_norm = named<tf::QkNorm>(s, "qk_norm", qk_norms);
  m.activation = activation::kind_from_name(s.choice("activation"));
  m.gated = s.toggle("gated");
  m.bias = s.toggle("bias");
  m.positions = named<tf::Positions>(s, "positions", positions);
  m.rope = {.base = s.real("rope_base"),
            .layout = named<position::RopeLayout>(s, "rope_layout", layouts),
            .width = s.integer("rope_width")};
  m.t5_buckets = s.integer("t5_buckets");
  m.t5_distance = s.integer("t5_distance");
  m.fire = {.c = s.real("fire_c"), .threshold = s.real("fire_threshold")};
  m.fire_width = s.integer("fire_width");
  m.fire_deep = s.toggle("fire_deep");
  m.score_scale = s.number("score_scale");
  m.score_cap = s.number("score_cap");
  m.window = s.integer("window");
  m.scaled_embedding = s.toggle("scaled_embedding");
  m.tied = s.toggle("tied");
  m.length = learned_rows(settings, task);
  if (m.positions == tf::Positions::learned && m.length < task.read(task.trained()))
    throw InvalidArgument(about("length").found(m.length).allowed("{} or more: so long is what is trained",
                                                                  task.read(task.trained())));
  return m;
}

/// About a key of a section.
template <class Work>
auto within_section(std::string_view section, Work work) {
  const Subject key{Subject::Kind::key, name_phrase(section)};
  try {
    return work();
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(error.complaint().within(key));
  } catch (const Failure& error) {
    throw Failure(error.complaint().within(key));
  }
}

}  // namespace

void check_size(const transformer::Config& model) {
  constexpr Index most = Index{1} << 28;
  const Index size = tf::Transformer<float>(model).layout().size();
  if (size > most)
    throw InvalidArgument(
        about(Subject::Kind::key, "model").fault("{} numbers", size).allowed("up to {}", most));
}

std::vector<Index> asked_lengths(const Settings& settings, const Task& task) {
  std::vector<Index> lengths;
  for (const double n : settings.of("evaluation").vector("lengths")) {
    if (n != static_cast<double>(static_cast<Index>(n)))
      throw InvalidArgument(
          about("lengths").found(parameter::shortest(n)).allowed("whole numbers, in tokens"));
    if (std::ranges::find(lengths, static_cast<Index>(n)) != lengths.end())
      throw InvalidArgument(about("lengths").found(parameter::shortest(n)).allowed("each length once"));
    lengths.push_back(static_cast<Index>(n));
  }
  if (lengths.empty()) lengths.push_back(task.trained());
  return lengths;
}

Index pass_length(const Settings& settings, const Task& task, Index n) {
  const Index window = settings.of(asked_section).integer("window"), read = task.read(n);
  return window > 0 ? std::min(read, window) : read;
}

Index learned_rows(const Settings& settings, const Task& task) {
  const Index said = settings.of("model").integer("length");
  if (said > 0) return said;
  Index rows = task.read(task.trained());
  for (const Index n : asked_lengths(settings, task)) rows = std::max(rows, pass_length(settings, task, n));
  return rows;
}

training::Extension extension_of(const Settings& settings, const Task& task) {
  const parameter::Settings& s = settings.of("evaluation");
  training::Extension extension;
  extension.rule = position::rope_type_from_name(s.choice("rule")).value();
  extension.reading =
      s.choice("reading") == "paper" ? position::RopeReading::paper : position::RopeReading::code;
  extension.trained = static_cast<double>(task.read(task.trained()));
  extension.factor = s.number("factor");
  extension.beta_fast = s.real("beta_fast");
  extension.beta_slow = s.real("beta_slow");
  return extension;
}

namespace {

/// A length may be more than a text has and more than there are learned positions for: the smaller limit is said, so that
/// what it allows is refused by none.
void check_length(const tf::Config& model, const Settings& settings, const Task& task, Index n) {
  const bool no_positions =
      model.positions == tf::Positions::learned && pass_length(settings, task, n) > model.length;
  const std::optional<Index> longest = task.longest();
  if (!no_positions || (longest && task.read(*longest) < model.length)) task.check(n);
  if (no_positions)
    throw InvalidArgument(about("lengths").found(n).allowed(
        "what is read as up to {} tokens: so many learned positions there are", model.length));
}

/// What is asked of the model when it is trained can be asked: else hours would be over before that is said.
void check_asked(const tf::Config& model, const Settings& settings, const Task& task) {
  for (const Index n : asked_lengths(settings, task)) {
    check_length(model, settings, task, n);
    const Index tokens = pass_length(settings, task, n);
    tf::check_config(training::extended(model, extension_of(settings, task), static_cast<double>(tokens)));
  }
}

}  // namespace

Plan plan_of(const Settings& settings) {
  Plan plan{.settings = settings, .task = {}, .trainer = {}};
  plan.task = within_section("task", [&] { return std::shared_ptr<const Task>(task_of(settings)); });
  within_section(asked_section, [&] { asked_lengths(settings, *plan.task); });
  training::TrainerSettings& t = plan.trainer;
  t.model = within_section("model", [&] {
    const tf::Config model = model_of(settings, *plan.task);
    tf::check_config(model);
    return model;
  });
  check_size(t.model);
  within_section(asked_section, [&] { check_asked(t.model, settings, *plan.task); });
  const parameter::Settings &start = settings.of("start"), &adam = settings.of("optimiser"),
                            &schedule = settings.of("schedule");
  t.start = {.spread = named<tf::Spread>(start, "spread", spreads),
             .deviation = start.real("deviation"),
             .embedding_deviation = start.real("embedding_deviation"),
             .into_stream = named<tf::IntoStream>(start, "into_stream", streams),
             .inner_gain = start.real("inner_gain")};
  t.adam = {.beta1 = adam.real("beta1"),
            .beta2 = adam.real("beta2"),
            .eps = adam.real("eps"),
            .decay = adam.real("decay"),
            .decoupled = adam.toggle("decoupled"),
            .corrected = adam.toggle("corrected")};
  t.clip = adam.real("clip");
  t.schedule = {.kind = named<training::Schedule::Kind>(schedule, "kind", schedules),
                .highest = schedule.real("highest"),
                .warm_up = schedule.real("warm_up"),
                .steps = static_cast<double>(plan.steps()),
                .end = schedule.real("end"),
                .decay_share = schedule.real("decay_share")};
  t.seed = plan.seed();
  return plan;
}

}  // namespace orrery::experiment
