#include "core/model/serving.h"

#include <cmath>
#include <functional>

#include "core/model/cost.h"
#include "core/model/weights.h"
#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using tensor::Index;

constexpr Index most_groups = 8, deepseek_rank = 512, deepseek_rope = 64;

/// Of keys and values, where a model has none of its own.
Index groups_of(Index heads) {
  Index groups = std::max<Index>(1, std::min(most_groups, heads / 2));
  while (heads % groups != 0) --groups;
  return groups;
}

/// Heads that are whole: of latent attention what each would keep.
Card with_heads(Card card, Index kv_heads) {
  card.latent.reset();
  card.kv_heads = kv_heads;
  return card;
}

Card with_latent(Card card) {
  const Index head = *card.head_width;
  if (!card.value_width) card.value_width = head;
  card.latent = CardLatent{.key_value_rank = deepseek_rank, .rope_width = deepseek_rope, .still_width = head};
  card.head_width = head + deepseek_rope;
  return card;
}

/// Bytes of the matrices that pass `by`, each read once, however many tokens pass it.
double matrices_met(const Card& card, Passed by, double tokens) {
  double numbers = 0;
  for (const Weight& w : weights_of(card))
    if (w.passed == by) numbers += w.size() * copies_met(w, tokens);
  return numbers;
}

/// The least whole number for which `holds`, which never ceases to hold.
std::optional<double> least_whole(double most, const std::function<bool(double)>& holds) {
  double above = 1;
  while (!holds(above))
    if ((above *= 2) > most) return {};
  double below = above / 2;  // does not hold there, or is no whole number
  while (above - below > 1) {
    const double middle = std::floor((below + above) / 2);
    (holds(middle) ? above : below) = middle;
  }
  return above;
}

}  // namespace

Sharing sharing_of(const Card& card) {
  if (!card.countable())
    throw Failure(
        about(words("model")).found(card.name).fault("its layers are not known, so nothing is counted"));
  if (card.latent) return Sharing::latent;
  if (*card.kv_heads == *card.heads) return Sharing::heads;
  return *card.kv_heads == 1 ? Sharing::one : Sharing::groups;
}

Card with_sharing(Card card, Sharing sharing) {
  if (sharing_of(card) == sharing) return card;
  switch (sharing) {
    case Sharing::heads:
      return with_heads(card, *card.heads);
    case Sharing::groups:
      return with_heads(card, groups_of(*card.heads));
    case Sharing::one:
      return with_heads(card, 1);
    case Sharing::latent:
      break;
  }
  return with_latent(std::move(card));
}

Card without_windows(Card card) {
  for (CardLayer& layer : card.layers) layer.window = 0, layer.chunked = false;
  return card;
}

Load writing(const Card& card, double texts, double length, StoredBytes stored) {
  const Cost cost = cost_of(card, length);
  if (!cost.decode)
    throw Failure(about(words("model")).found(card.name).fault("only a decoder writes token by token"));
  return {.tokens = texts,
          .operations = texts * *cost.decode,
          .weights = stored.weight * matrices_met(card, Passed::by_token, texts),
          .cache = stored.cached * texts * cached_numbers(card, length)};
}

Load reading(const Card& card, double texts, double length, StoredBytes stored) {
  const Passed by = card.stacks == Stacks::both ? Passed::by_source : Passed::by_token;
  const double tokens = texts * length;
  return {.tokens = tokens,
          .operations = tokens * cost_of(card, length).prefill,
          .weights = stored.weight * matrices_met(card, by, tokens),
          .cache = stored.cached * tokens * cached_numbers_per_token(card)};
}

std::optional<double> length_that_outweighs(const Card& card, double texts, StoredBytes stored,
                                            double longest) {
  const double weights = writing(card, texts, 1, stored).weights;
  return least_whole(
      longest, [&](double length) { return stored.cached * texts * cached_numbers(card, length) > weights; });
}

std::optional<double> texts_that_fill(const Machine& machine, const Card& card, double length,
                                      StoredBytes stored, double most) {
  return least_whole(
      most, [&](double texts) { return !machine.limited_by_memory(writing(card, texts, length, stored)); });
}

}  // namespace orrery::model
