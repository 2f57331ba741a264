#include "core/model/norm_cost.h"

#include "core/model/cost.h"
#include "core/model/weights.h"
#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using tensor::Index;

double number(Index n) {
  return static_cast<double>(n);
}

void require_norm(const Card& card) {
  if (!card.countable() || card.norm.kind == NormKind::unknown || !card.norm.bias)
    throw Failure(
        about(words("model")).found(card.name).fault("its norms are not known, so nothing is counted"));
}

/// Of heads, or of the short vectors of latent attention, in one layer.
double normed_in_attention(const Card& card) {
  double numbers = 0;
  if (card.latent) numbers += number(card.latent->query_rank + card.latent->key_value_rank);
  if (card.norm.query_key != QueryKeyNorm::none)
    numbers += number(*card.heads + *card.kv_heads) * number(*card.head_width);
  return numbers;
}

double normed_numbers(const Card& card) {
  const double width = number(*card.width), final = *card.norm.final ? 1 : 0;
  const Index steps = card.stacks == Stacks::both ? 3 : 2;
  double norms = number(card.depth() * norms_of_a_layer(card, steps)) + final;
  if (card.encoder_layers > 0) norms += number(card.encoder_layers * norms_of_a_layer(card, 2)) + final;
  if (card.norm.embedding) norms += 1;
  double in_attention = 0;
  for (const CardLayer& layer : card.layers) {
    // Llama 4 normalises queries and keys where it turns them: not in the layers that see the whole text.
    const bool without = card.norm.query_key == QueryKeyNorm::plain && layer.window == 0;
    if (!without) in_attention += normed_in_attention(card);
  }
  return norms * width + in_attention;
}

bool is_table(const Weight& w) {
  return w.name == "tokens" || w.name == "positions" || w.name == "token types";
}

/// Two terms in and one out for each sublayer.
double moved_by_sums(const Card& card) {
  const double width = number(*card.width);
  if (card.parallel) return number(card.depth()) * 4 * width;
  const double sublayers = number(card.depth()) * (card.stacks == Stacks::both ? 3 : 2);
  return (sublayers + 2 * number(card.encoder_layers)) * 3 * width;
}

/// Queries in and values out, of all layers.
double moved_by_attention(const Card& card) {
  const double heads = number(*card.heads), value = number(card.value_width.value_or(*card.head_width));
  const double attentions =
      number(card.depth()) * (card.stacks == Stacks::both ? 2 : 1) + number(card.encoder_layers);
  return attentions * heads * (number(*card.head_width) + value);
}

/// Keys and values that a text's tokens have for each other: of an encoder too, though it keeps none.
double keys_and_values_read(const Card& card) {
  const double attentions =
      number(card.depth()) * (card.stacks == Stacks::both ? 2 : 1) + number(card.encoder_layers);
  if (card.latent)
    return attentions * number(*card.heads) * (number(*card.head_width) + number(*card.value_width));
  return attentions * 2 * number(*card.kv_heads) * number(*card.head_width);
}

}  // namespace

double norm_operations(const CardNorm& norm) {
  if (norm.kind == NormKind::rms_norm) return 4;
  return norm.bias.value_or(true) ? 7 : 6;
}

double norm_moves(NormKind kind, bool fused) {
  return fused ? 2 : kind == NormKind::rms_norm ? 7 : 12;
}

Card with_norm(Card card, NormKind kind) {
  card.norm.kind = kind;
  card.norm.bias = kind == NormKind::layer_norm;
  return card;
}

NormCount norm_count(const Card& card) {
  require_norm(card);
  const double numbers = normed_numbers(card);
  return {parameters_of(card).of(Part::norm), numbers, numbers * norm_operations(card.norm)};
}

StepMoves step_moves(const Card& card, const Step& step) {
  require_norm(card);
  if (step.writing && card.stacks != Stacks::decoder)
    throw Failure(about(words("model")).found(card.name).fault("only a decoder writes token by token"));
  StepMoves moves;
  double of_a_token = moved_by_sums(card) + moved_by_attention(card);
  for (const Weight& w : weights_of(card)) {
    const double numbers = w.size() * copies_met(w, step.tokens);
    if (w.part == Part::norm) {
      moves.norms += numbers;
    } else if (is_table(w)) {
      of_a_token += 2 * number(w.cols);  // a row of it, into the token's vector
    } else if (w.name == "vocabulary") {
      moves.weights += numbers;
      moves.others += (step.writing ? step.tokens : 1) * number(w.rows + w.cols);
    } else {
      moves.weights += numbers;
      if (w.rows > 1 && w.passed != Passed::never) of_a_token += number(w.rows + w.cols) * number(w.active);
      if (w.name == "up" && w.rows > 1)
        of_a_token += (*card.gated ? 3 : 2) * number(w.rows) * number(w.active);
    }
  }
  moves.others += step.tokens * of_a_token;
  moves.norms += step.tokens * norm_moves(card.norm.kind, step.fused) * normed_numbers(card);
  moves.cache = step.tokens * (step.writing ? cached_numbers(card, step.length) : keys_and_values_read(card));
  return moves;
}

}  // namespace orrery::model
