#include "app/study/attention/memory_checks.h"

#include "app/study/kit.h"
#include "app/study/model/cards.h"
#include "core/model/weights.h"

namespace orrery::study::attention_memory {
namespace {

/// What the matrices of keys and values of a decoder give for a token, which is what is kept.
double given_to_cache(const Card& card) {
  double numbers = 0;
  for (const model::Weight& w : weights_of(card))
    if (w.rows > 1 && (w.name == "key" || w.name == "value" || w.name == "key and value, down"))
      numbers += number(w.rows) * number(w.copies);
  if (card.encoder_layers > 0)
    numbers *= number(2 * card.depth()) / number(2 * card.depth() + card.encoder_layers);
  return numbers;
}

/// A text written token by token: each layer takes a token in, and one with a full window lets the oldest go.
double kept_token_by_token(const Card& card, double length) {
  const double of_a_layer = cached_numbers_per_token(card) / number(card.depth());
  double tokens = card.stacks == model::Stacks::both ? number(card.depth()) * length : 0;
  for (const model::CardLayer& layer : card.layers) {
    double held = 0;
    for (double t = 0; t < length; ++t) held = layer.window > 0 && held + 1 > layer.window ? held : held + 1;
    tokens += held;
  }
  return tokens * of_a_layer;
}

void add_published(std::vector<Check>& checks) {
  struct Published {
    std::string_view name;
    double bytes;
    const char* statement;
  };
  // DeepSeek-AI 2025, arXiv 2505.09343, table 1; 2 L H_kv 2 d of the models' own files.
  constexpr auto all = std::to_array<Published>({
      {"deepseek-v3", 70272, "DeepSeek V3: 70.272 KB a token in bf16"},
      {"llama-3.1-405b", 516096, "Llama 3.1 405B: 516.096 KB a token in bf16"},
      {"llama-2-70b", 327680, "Llama 2 70B: 320 KiB a token in bf16"},
      {"llama-2-7b", 524288, "Llama 2 7B: 512 KiB a token in bf16"},
  });
  for (const Published& each : all)
    checks.push_back(known_answer(
        each.statement, std::abs(2 * cached_numbers_per_token(published_card(each.name)) - each.bytes), 0));
}

}  // namespace

std::vector<Check> checks_of(const Asked& asked, const std::vector<SharedCache>& all,
                             std::optional<double> length, std::optional<double> texts, const Run& run) {
  std::vector<Check> checks;
  add_published(checks);
  Worst given, grown;
  const double some = std::min(asked.length, 8192.0);
  for (const SharedCache& each : all) {
    run.check();
    if (each.card.stacks == model::Stacks::decoder || each.sharing != Sharing::latent)
      given.meet(std::abs(given_to_cache(each.card) - cached_numbers(each.card, 1)));
    if (each.own)
      grown.meet(std::abs(kept_token_by_token(each.card, some) - cached_numbers(each.card, some)));
  }
  checks.push_back(
      {"a token leaves what the matrices of keys and values give, however they are shared", given, 0});
  checks.push_back({"written token by token, full windows letting the oldest go, as much is kept", grown, 0});
  if (length) {
    const double weights = asked.writing(asked.texts).weights;
    checks.push_back(
        {"from the length that is named on the cache is more than the weights a step reads, and not before",
         std::max({0.0, weights - asked.kept(asked.card, *length),
                   *length > 1 ? asked.kept(asked.card, *length - 1) - weights : 0.0}),
         0});
  }
  if (texts) {
    const auto of_arithmetic = [&](double n) {
      const Load load = asked.writing(n);
      return load.operations / asked.machine.operations / (load.bytes() / asked.machine.bytes);
    };
    // A few roundings of quotients near 1.
    checks.push_back(
        {"from as many texts as are named on arithmetic takes longer than memory, and not before",
         std::max({0.0, 1 - of_arithmetic(*texts), *texts > 1 ? of_arithmetic(*texts - 1) - 1 : 0.0}),
         1e-14});
  }
  if (asked.card.experts.total == 0) {
    // Each matrix twice for each text: a multiplication and an addition.
    const Load now = asked.writing(asked.texts);
    const double scores = asked.texts * cost_of(asked.card, asked.length).decode_attention,
                 twice = 2 * asked.texts * now.weights / asked.stored.weight;
    checks.push_back({"two operations for each number of the matrices and each text, and those of attention",
                      std::abs(now.operations - scores - twice) / now.operations, 1e-14});
  }
  return checks;
}

}  // namespace orrery::study::attention_memory
