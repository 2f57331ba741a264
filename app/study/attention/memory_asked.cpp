#include "app/study/attention/memory_asked.h"

#include "app/study/kit.h"
#include "app/study/model/cards.h"
#include "app/study/model_facts.h"
#include "core/model/weights.h"

namespace orrery::study::attention_memory {
namespace {

/// Of a number in int8 and int4 with its part of a scale factor.
double bytes_of(const std::string& format, const std::string& scales) {
  const double scale = scales == "none" ? 0 : 2 / std::stod(scales);
  if (format == "int8") return 1 + scale;
  if (format == "int4") return 0.5 + scale;
  return format == "f32" ? 4 : 2;
}

Machine machine_of(const Settings& settings) {
  const std::string name = settings.choice("machine");
  if (name == "h100") return {.operations = 989 * tera, .bytes = 3350 * giga};
  if (name == "a100") return {.operations = 312 * tera, .bytes = 2039 * giga};
  if (name == "laptop") return {.operations = 4 * tera, .bytes = 100 * giga};
  return {.operations = settings.real("tflops") * tera, .bytes = settings.real("bandwidth") * giga};
}

MeasuredMachine machine_measured(const Settings& settings, const Run& run) {
  if (!settings.toggle("measure")) {
    const std::string& kept = settings.text("results");
    return kept.empty() ? shipped_machine() : measured_machine(kept);
  }
  int samples = 0;
  const auto between = [&] {
    run.check();
    run.progress(number(samples++) / number(bench::limit_samples));
  };
  // What is drawn is what is kept: five digits.
  return measured_machine(
      text_of((run.device == DeviceChoice::gpu ? measure_device : measure_processor)(between)));
}

}  // namespace

Card card_of(std::string_view name, bool windows) {
  Card card = published_card(name);
  return windows ? card : without_windows(std::move(card));
}

Asked asked_of(const Settings& settings, const Run& run) {
  const std::string scales = settings.choice("scales"), name = settings.choice("model");
  const bool windows = settings.toggle("windows");
  Asked asked{.card = card_of(name, windows),
              .title = std::string(model_title(name)),
              .length = number(settings.integer("length")),
              .texts = number(settings.integer("texts")),
              .stored = {.weight = bytes_of(settings.choice("weights"), scales),
                         .cached = bytes_of(settings.choice("cache"), scales)},
              .machine = machine_of(settings),
              .windows = windows};
  if (settings.choice("machine") != "measured") return asked;
  asked.measured = machine_measured(settings, run);
  asked.machine = {.operations = asked.measured->limits.gigaflops * giga,
                   .bytes = asked.measured->limits.gigabytes * giga};
  return asked;
}

double kept_a_token(const Card& card, const Asked& asked) {
  return asked.stored.cached * cached_numbers(card, 1);
}

std::vector<SharedCache> shared_caches(const Asked& asked) {
  std::vector<SharedCache> all;
  for (const Sharing sharing : model::every_sharing) {
    Card card = with_sharing(asked.card, sharing);
    const double a_token = kept_a_token(card, asked), kept = asked.kept(card, asked.length);
    all.push_back({sharing, std::move(card), a_token, kept, sharing_of(asked.card) == sharing});
  }
  return all;
}

}  // namespace orrery::study::attention_memory
