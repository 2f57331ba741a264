// What the cache of keys and values costs: its bytes by length and by how heads share it, and what reading it does to speed.
#include "app/study/attention/memory_asked.h"
#include "app/study/attention/memory_checks.h"
#include "app/study/attention/serving_picture.h"
#include "app/study/kit.h"
#include "app/study/model/cards.h"
#include "app/study/model_facts.h"
#include "core/model/cost.h"
#include "core/model/weights.h"

namespace orrery::study::attention_memory {
namespace {

/// All that are carded but encoders, which keep nothing.
constexpr std::string_view cached_models =
    "bloom|bloom-560m|deepseek-v2-lite|deepseek-v3|falcon-40b|falcon-7b|flan-t5-base|"
    "gemma-2-9b|gemma-2b|gemma-3-1b|gemma-3-4b-v5|gemma-7b|gpt-neox-20b|gpt-oss-20b|gpt2|gpt2-large|"
    "gpt2-medium|gpt2-xl|gpt3|llama-13b|llama-2-70b|llama-2-7b|llama-3-8b|llama-3.1-405b|llama-3.1-70b|"
    "llama-3.1-8b|llama-3.2-1b|llama-3.2-3b|llama-4-scout|llama-65b|llama-7b|mistral-7b|mixtral-8x7b|mpt-7b|"
    "olmo-3-7b|opt-1.3b|opt-125m|opt-6.7b|palm-540b|phi-4-mini|qwen-7b|qwen2.5-0.5b|qwen2.5-7b|"
    "qwen3-30b-a3b|qwen3-8b|smollm2-135m|t5-base|t5-small|transformer-base|transformer-big";

constexpr auto parameters = std::to_array<Parameter>({
    with_fallback(choice("model", "Model", cached_models, "whose cache is counted", {.model_fact = "name"}),
                  "llama-3.1-8b"),
    whole("length", "Length", "8192", {1, 1048576}, "of each text: how many tokens its cache holds",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    whole("texts", "Texts at once", "1", {1, most_texts}, "the batch: each has a cache of its own",
          {.travel = Travel::powers_of_two}),
    choice("cache", "Cache format", "bf16|f32|int8|int4", "of the numbers that are kept"),
    choice("weights", "Weight format", "bf16|f32|int8|int4", "of the matrices that every step reads"),
    choice("scales", "Scale factors", "32|64|128|none",
           "of int8 and int4: how many numbers share one of 16 bits; none: they are not counted"),
    toggle("windows", "Windows", "on", "sliding layers keep no more than their window; off: the whole text"),
    choice(
        "machine", "Machine", "h100|a100|laptop|own|measured",
        "H100 SXM 989 Tflop/s and 3350 GB/s, A100 80 GB 312 and 2039, both of bf16; a laptop's 4 and 100; one of "
        "your own; or one that was measured: a copy past the caches, and multiply-adds in f32"),
    toggle(
        "measure", "Measure", "off",
        "on: here and now, this processor or with device gpu the graphics device; off: what is kept, or came "
        "with the program",
        {.only_when = "machine=measured", .measures = true}),
    text("results", "Results", "", {0, 4000},
         "what was measured, as the recipe of a measured figure keeps it; empty: what came with the program",
         {.only_when = "machine=measured", .presentation = true}),
    real("tflops", "Arithmetic", "100", {0.01, 100000},
         "operations a second at best, of a machine of your own",
         {.travel = Travel::log, .unit = "Tflop/s", .only_when = "machine=own"}),
    real("bandwidth", "Bandwidth", "1000", {1, 100000}, "of its memory",
         {.travel = Travel::log, .unit = "GB/s", .only_when = "machine=own"}),
    show_parameter("all|cache|models|sharing|roofline|speed"),
});

// Tables.

Table sharing_table(const std::vector<SharedCache>& all, double bytes) {
  Table table{"sharing",
              {{.name = "sharing"},
               {.name = "numbers a token", .digits = 9},
               {.name = "cache a token", .unit = "bytes", .digits = 12},
               {.name = "cache", .unit = "bytes", .digits = 18},
               {.name = "of heads of their own", .unit = "%", .digits = 4}}};
  for (const SharedCache& each : all)
    add_row(table, sharing_name(each.sharing), each.kept_a_token / bytes, each.kept_a_token, each.kept,
            100 * each.kept_a_token / all.front().kept_a_token);
  return table;
}

/// From one token to a million.
Series lengths_of(const Asked& asked, const std::vector<SharedCache>& all) {
  std::vector<double> octave_ends;
  for (int half = 0; half <= 40; ++half) octave_ends.push_back(std::round(std::exp2(half / 2.0)));
  octave_ends.push_back(asked.length);
  std::ranges::sort(octave_ends);
  octave_ends.erase(std::ranges::unique(octave_ends).begin(), octave_ends.end());
  Series lengths("by_length", {"length", "tokens", std::move(octave_ends)});
  for (const SharedCache& each : all)
    lengths.add(Column{.name = sharing_name(each.sharing), .unit = "GiB"},
                [&](double n) { return asked.kept(each.card, n) / gibibyte; });
  const double weights = asked.writing(asked.texts).weights / gibibyte;
  return lengths.add(Column{.name = "weights a step reads", .unit = "GiB"}, [&](double) { return weights; });
}

Table models_table(const Asked& asked, const Run& run) {
  Table table{"models",
              {{.name = "model"},
               {.name = "parameters", .digits = 12},
               {.name = "sharing"},
               {.name = "key and value heads"},
               {.name = "cache a token", .unit = "bytes", .digits = 12},
               {.name = "cache", .unit = "bytes", .digits = 18},
               {.name = "tokens a second", .digits = 4}}};
  for (const std::string_view name : card_names()) {
    run.check();
    const Card card = card_of(name, asked.windows);
    const bool writes = card.stacks != model::Stacks::encoder;
    const double speed =
        writes ? asked.machine.tokens_a_second(model::writing(card, asked.texts, asked.length, asked.stored))
               : 0;
    add_row(table, model_title(name), parameters_of(card).total,
            writes ? sharing_name(sharing_of(card)) : std::string("no cache"), *card.kv_heads,
            kept_a_token(card, asked), asked.kept(card, asked.length), speed);
  }
  return table;
}

double tera_speed(const Machine& machine, const Load& load) {
  return load.operations / machine.seconds(load) / tera;
}

Table steps_table(const Asked& asked, const Load& writing, const Load& reading) {
  Table table{"steps",
              {{.name = "what is done"},
               {.name = "operations", .digits = 12},
               {.name = "weights", .unit = "bytes", .digits = 12},
               {.name = "cache", .unit = "bytes", .digits = 15},
               {.name = "operations a byte"},
               {.name = "speed", .unit = "Tflop/s"},
               {.name = "tokens a second"},
               {.name = "seconds"},
               {.name = "limited by"}}};
  const auto row = [&](const char* name, const Load& load) {
    add_row(table, name, load.operations, load.weights, load.cache, load.intensity(),
            tera_speed(asked.machine, load), asked.machine.tokens_a_second(load), asked.machine.seconds(load),
            asked.machine.limited_by_memory(load) ? "memory" : "arithmetic");
  };
  row("writing", writing);
  row("reading", reading);
  return table;
}

Series batches_of(const Asked& asked) {
  std::vector<double> texts;
  for (int half = 0; half <= 24; ++half) texts.push_back(std::round(std::exp2(half / 2.0)));
  texts.push_back(asked.texts);
  std::ranges::sort(texts);
  texts.erase(std::ranges::unique(texts).begin(), texts.end());
  Series batches("batches", {"texts", "", std::move(texts)});
  const Machine& machine = asked.machine;
  batches.add("tokens a second", [&](double n) { return machine.tokens_a_second(asked.writing(n)); });
  batches.add("of each text", [&](double n) { return machine.tokens_a_second(asked.writing(n)) / n; });
  batches.add("with an empty cache", [&](double n) {
    Load load = model::writing(asked.card, n, 1, asked.stored);
    load.cache = 0;
    return machine.tokens_a_second(load);
  });
  batches.add("operations a byte", [&](double n) { return asked.writing(n).intensity(); });
  return batches.add(Column{.name = "speed", .unit = "Tflop/s"},
                     [&](double n) { return tera_speed(machine, asked.writing(n)); });
}

/// The slope of memory, the ridge, and the flat roof of arithmetic, about all that is on it.
Series roof_of(const Machine& machine, const Series& batches, const Load& reading) {
  const double first = batches["operations a byte"].front(), last = reading.intensity();
  std::vector<double> ends{std::min({first, last, machine.ridge()}) / 4, machine.ridge(),
                           std::max({first, last, machine.ridge(), batches["operations a byte"].back()}) * 4};
  Series roof("roof", {"operations a byte", "", std::move(ends)});
  return roof.add(Column{.name = "speed", .unit = "Tflop/s"}, [&](double intensity) {
    return std::min(machine.operations, intensity * machine.bytes) / tera;
  });
}

/// Where one limit takes the place of another; words where it never does.
Table limits_table(const Asked& asked, std::optional<double> length, std::optional<double> texts) {
  Table table{"crossings", {{.name = "what"}, {.name = "whether"}, {.name = "value", .digits = 12}}};
  const auto row = [&](const char* what, std::optional<double> from) {
    add_row(table, what, from ? "there is one" : "never", from.value_or(0));
  };
  row("ridge, operations a byte", asked.machine.ridge());
  row("tokens from which on the cache is more than the weights that a step reads", length);
  row("texts from which on arithmetic limits", texts);
  return table;
}

Table machine_table(const Asked& asked) {
  Table table{"machine", {{.name = "Tflop/s", .digits = 8}, {.name = "GB/s", .digits = 8}}};
  add_row(table, asked.machine.operations / tera, asked.machine.bytes / giga);
  return table;
}

// Words.

std::string title_text(const Asked& asked, double kept, double speed) {
  return asked.title + ": " + memory_text(kept_a_token(asked.card, asked)) + " of cache a token, " +
         memory_text(kept) + " for " + grouped(asked.texts) + " × " + grouped(asked.length) +
         " tokens, at most " + short_text(speed, 3) + " tokens a second";
}

/// Tokens that the layers hold together, of one text.
Term held_of(const Card& card, double length) {
  double windowed = 0, window = 0;
  for (const model::CardLayer& layer : card.layers)
    if (layer.window > 0) windowed += 1, window = layer.window;
  const double whole = number(card.depth()) - windowed;
  const Term in_windows = term(windowed) * min(term(length), term(window));
  return whole > 0 ? term(whole) * term(length) + in_windows : in_windows;
}

std::string worked_of(const Asked& asked, const Load& writing) {
  const Card& card = asked.card;
  const double layers = number(card.depth()), a_token = kept_a_token(card, asked);
  const Term of_a_layer =
      card.latent ? term(number(card.latent->key_value_rank)) + term(number(card.latent->rope_width))
                  : term(2) * term(number(*card.kv_heads)) * term(number(*card.head_width));
  const double twice = card.stacks == model::Stacks::both ? 2 : 1;  // of both texts
  const Term each = term(layers) * of_a_layer * term(asked.stored.cached);
  Worked worked;
  worked.add("m", twice > 1 ? term(twice) * each : each, a_token);
  const bool windowed = std::ranges::any_of(card.layers, [](const auto& layer) { return layer.window > 0; });
  worked.add("M",
             windowed ? term(asked.texts) * held_of(card, asked.length) * term(a_token / layers)
                      : term(asked.texts) * term(asked.length) * term(a_token),
             writing.cache);
  const Term moving = worked::frac(term(writing.weights) + term(writing.cache), term(asked.machine.bytes)),
             computing = worked::frac(term(writing.operations), term(asked.machine.operations));
  worked.add("v", worked::frac(term(asked.texts), max(moving, computing)),
             asked.machine.tokens_a_second(writing));
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Asked asked = asked_of(settings, run);
  const std::vector<SharedCache> shared = shared_caches(asked);
  const Load writing = asked.writing(asked.texts),
             reading = model::reading(asked.card, asked.texts, asked.length, asked.stored);
  const auto outweighs = length_that_outweighs(asked.card, asked.texts, asked.stored);
  const auto filled = texts_that_fill(asked.machine, asked.card, asked.length, asked.stored);
  const Series lengths = lengths_of(asked, shared), batches = batches_of(asked),
               roof = roof_of(asked.machine, batches, reading);
  const Table models = models_table(asked, run);
  const RoofAsked on_roof{asked.texts, writing, reading, filled,
                          asked.measured ? asked.measured->where : std::string()};
  Picture picture(
      title_text(asked, writing.cache, asked.machine.tokens_a_second(writing)),
      "Five panels: the bytes of the cache by length, for each way to share keys and values, beside the "
      "weights that a step reads; every published model's bytes a token over its size; a bar for each way to share at the "
      "chosen length; reading and writing on the roofline of the machine; tokens a second by how many texts "
      "are written at once.");
  picture.at({0, 0}, "cache", lengths_panel(lengths, shared, {asked.length, outweighs}));
  picture.at({0, 1}, "models", models_panel(models, asked.title));
  picture.at({1, 0, 1, 2}, "sharing", sharing_panel(shared));
  picture.at({2, 0}, "roofline", roof_panel(roof, batches, asked.machine, on_roof));
  picture.at({2, 1}, "speed", speed_panel(batches, asked.machine, on_roof));
  StudyResult result{
      .figure = std::move(picture).figure(settings,
                                          {.aspect = 0.78,
                                           .rows = {1.15, 1.25, 1.15},
                                           .cols = {1, 1},
                                           .telling = {"cache", "sharing", "speed", "roofline", "models"}}),
      .tables = {sharing_table(shared, asked.stored.cached), steps_table(asked, writing, reading),
                 machine_table(asked), limits_table(asked, outweighs, filled), lengths.table(),
                 batches.table(), roof.table(), models},
      .checks = checks_of(asked, shared, outweighs, filled, run),
      .worked = worked_of(asked, writing)};
  if (asked.measured && settings.toggle("measure"))
    result.keeps = "measure=off results='" + text_of(*asked.measured) + "'";
  return result;
}

double own(const StudyResult& result, const char* sharing, const char* name = "cache a token") {
  return at(result, "sharing", name, sharing);
}

constexpr auto tries = std::to_array<Try>({
    {"Llama 2 7B: every head keeps its own, 512 KiB a token, four times as much.", "model=llama-2-7b",
     [](auto& now, auto& before) {
       return own(now, "MHA") == 524288 && own(now, "MHA") == 4 * own(before, "GQA");
     }},
    {"DeepSeek V3: 576 numbers a layer for 128 heads, a seventieth of what those would keep.",
     "model=deepseek-v3",
     [](auto& now, auto&) {
       return own(now, "MLA", "numbers a token") == 576 * 61 &&
              between(69.5, own(now, "MHA") / own(now, "MLA"), 71.5);
     }},
    {"Gemma 3 1B at 131 072 tokens: 22 of 26 layers keep 512 tokens, so less than a sixth is kept.",
     "model=gemma-3-1b length=131072",
     [](auto& now, auto&) { return own(now, "MQA", "cache") < 131072 * own(now, "MQA") / 6; }},
    {"64 texts: together they are written 12 times as fast as one, not 64: all their caches must be read.",
     "texts=64",
     [](auto& now, auto& before) {
       return between(
           11.5,
           at(now, "steps", "tokens a second", "writing") / at(before, "steps", "tokens a second", "writing"),
           12.5);
     }},
    {"The machine that came measured with the program: memory limits it, too, at a hundredth of an H100's speed.",
     "machine=measured",
     [](auto& now, auto& before) {
       const auto speed = [](auto& of) { return at(of, "steps", "tokens a second", "writing"); };
       return at(now, "steps", "operations a byte", "writing") <
                  at(now, "crossings", "value", "ridge, operations a byte") &&
              between(80, speed(before) / speed(now), 130);
     }},
    {"A cache of four bits: with its scale factors 28 % of bf16.", "cache=int4",
     [](auto& now, auto& before) { return own(now, "GQA") == 0.28125 * own(before, "GQA"); }},
});

}  // namespace

extern const Study study{
    .id = "attention/memory",
    .title = "What the cache costs",
    .topic = "Attention",
    .summary =
        "bytes of keys and values by length, by how heads share them, and what reading them does to speed",
    .formula =
        R"(m = 2\,L\,H_{kv}\,d\,b, \quad M = B\,N\,m, \quad v = \frac{B}{\max\left(\frac{W + M}{\beta},\ \frac{F}{P}\right)})",
    .derivation =
        "Each layer keeps a key and a value of $d$ numbers for each of $H_{kv}$ heads: $2 L H_{kv} d$ numbers a token, of $b$ bytes.\n"
        "To write a token all matrices must be read, $W$ bytes, and the cache of its text; each number read of a matrix makes two "
        "operations for each text: $2 B / b_W$ operations a byte while the cache is small, of matrices of $b_W$ bytes a number.\n"
        "A machine that makes $P / \\beta$ operations while it reads a byte waits for memory below that many.\n"
        "More texts share the reading of $W$, but each brings a cache of its own: however many, a byte makes no more operations than "
        "a text's own do for its cache.",
    .about =
        "m is kept for each token, M for all of B texts of N tokens; latent attention keeps r + d numbers a layer instead, sliding layers "
        "no more than their window, a decoder beside an encoder the source's too. Ways to share that are not the model's own are what it "
        "would keep: groups of up to 8 key heads, DeepSeek's latent vector of 512 + 64. W are the matrices a token passes, of "
        "experts those that are met; activations are not counted, so a speed is one at best; lengths past what a model was trained for are counted all the same. int8 and int4 have a scale factor of 16 bits for "
        "each block of numbers.",
    .source =
        "Shazeer 2019, arXiv 1911.02150; Ainslie et al. 2023, arXiv 2305.13245; DeepSeek-AI, arXiv 2405.04434 and "
        "2505.09343, table 1; Williams et al. 2009 on the roofline; NVIDIA's data sheets",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::attention_memory
