#include "core/model/weights.h"

#include <cmath>

#include "core/tensor/error.h"

namespace orrery::model {
namespace {

using tensor::Index;

class List {
 public:
  explicit List(const Card& card) : card_(card) {}

  /// A matrix that tokens pass, and its bias.
  void linear(Part part, std::string_view name, Index in, Index out, bool bias, Index copies, Index active,
              Passed passed) {
    weights.push_back({part, name, out, in, copies, active, passed});
    if (bias) weights.push_back({part, name, 1, out, copies, active});
  }
  void vector(Part part, std::string_view name, Index width, Index copies) {
    if (copies > 0 && width > 0) weights.push_back({part, name, 1, width, copies, copies});
  }
  void table(std::string_view name, Index rows, Index width) {
    if (rows > 0) weights.push_back({Part::embedding, name, rows, width});
  }
  /// Weight, and where the model has them shift.
  void norm(std::string_view name, Index width, Index copies) {
    if (card_.norm.kind == NormKind::unknown) return;
    vector(Part::norm, name, width, copies);
    if (*card_.norm.bias) vector(Part::norm, name, width, copies);
  }

  std::vector<Weight> weights;

 private:
  const Card& card_;
};

void add_embedding(List& list, const Card& card) {
  const Index width = *card.width, narrow = card.embedding_width > 0 ? card.embedding_width : width;
  list.table("tokens", *card.vocabulary, narrow);
  list.table("positions", card.position_rows, width);
  list.table("token types", card.token_types, width);
  if (card.norm.embedding) list.norm("embedding", width, 1);
  if (narrow != width)
    list.linear(Part::embedding, "into the width", narrow, width, false, 1, 1, Passed::by_token);
}

void add_latent_attention(List& list, const Card& card, Index layers) {
  const CardLatent& latent = *card.latent;
  const Index width = *card.width, heads = *card.heads, value = *card.value_width;
  const Index key = latent.still_width + latent.rope_width;
  const auto linear = [&](std::string_view name, Index in, Index out, bool bias = false) {
    list.linear(Part::attention, name, in, out, bias, layers, layers, Passed::by_token);
  };
  if (latent.query_rank > 0) {
    linear("query, down", width, latent.query_rank, card.query_bias);
    list.norm("query", latent.query_rank, layers);
    linear("query, up", latent.query_rank, heads * key);
  } else {
    linear("query", width, heads * key);
  }
  linear("key and value, down", width, latent.key_value_rank + latent.rope_width, card.query_bias);
  list.norm("key and value", latent.key_value_rank, layers);
  linear("key and value, up", latent.key_value_rank, heads * (latent.still_width + value));
  linear("output", heads * value, width, card.output_bias);
}

/// Keys and values of `from`: of the tokens themselves, or of the source that an encoder has read.
void add_attention(List& list, const Card& card, Index layers, Passed queries, Passed from) {
  const Index width = *card.width, query = *card.heads * *card.head_width,
              key = *card.kv_heads * *card.head_width,
              value_width = card.value_width.value_or(*card.head_width);
  const auto linear = [&](std::string_view name, Index in, Index out, bool bias, Passed passed) {
    list.linear(Part::attention, name, in, out, bias, layers, layers, passed);
  };
  linear("query", width, query, card.query_bias, queries);
  linear("key", width, key, card.query_bias, from);
  linear("value", width, *card.kv_heads * value_width, card.query_bias, from);
  linear("output", *card.heads * value_width, width, card.output_bias, queries);
  if (card.relative_rows > 0)
    list.weights.push_back(
        {Part::attention, "distances", card.relative_rows, *card.head_width, layers, layers});
  if (card.sinks) list.vector(Part::attention, "sinks", *card.heads, layers);
  if (card.norm.query_key == QueryKeyNorm::head) list.norm("queries and keys", *card.head_width, 2 * layers);
  if (card.norm.query_key == QueryKeyNorm::all) {
    list.norm("queries", query, layers);
    list.norm("keys", key, layers);
  }
}

/// `copies` of a block with this hidden width, of which a token passes `active`.
void add_block(List& list, const Card& card, Index hidden, Index copies, Index active, Passed passed) {
  if (copies == 0) return;
  const Index width = *card.width;
  const bool bias = card.feed_forward_bias;
  if (*card.gated) list.linear(Part::feed_forward, "gate", width, hidden, bias, copies, active, passed);
  list.linear(Part::feed_forward, "up", width, hidden, bias, copies, active, passed);
  list.linear(Part::feed_forward, "down", hidden, width, bias, copies, active, passed);
}

void add_feed_forward(List& list, const Card& card) {
  Index sparse = 0;
  for (const CardLayer& layer : card.layers) sparse += layer.experts ? 1 : 0;
  const Index dense = card.depth() - sparse;
  add_block(list, card, *card.hidden_width, dense, dense, Passed::by_token);
  if (sparse == 0) return;
  const CardExperts& experts = card.experts;
  list.linear(Part::feed_forward, "router", *card.width, experts.total, experts.router_bias, sparse, sparse,
              Passed::by_token);
  add_block(list, card, experts.hidden_width, sparse * experts.total, sparse * experts.active,
            Passed::by_token);
  add_block(list, card, experts.shared_width, sparse * experts.shared, sparse * experts.shared,
            Passed::by_token);
}

void add_encoder(List& list, const Card& card) {
  const Index layers = card.encoder_layers;
  if (layers == 0) return;
  add_attention(list, card, layers, Passed::by_source, Passed::by_source);
  add_block(list, card, *card.hidden_width, layers, layers, Passed::by_source);
  list.norm("layers", *card.width, layers * norms_of_a_layer(card, 2));
  if (*card.norm.final) list.norm("final", *card.width, 1);
  add_attention(list, card, card.depth(), Passed::by_token, Passed::by_source);  // from one to the other
}

void add_head(List& list, const Card& card) {
  const Index width = *card.width, narrow = card.embedding_width > 0 ? card.embedding_width : width;
  if (card.pooler) list.linear(Part::head, "pooler", width, width, true, 1, 1, Passed::never);
  if (card.stacks == Stacks::encoder) return;
  if (narrow != width)
    list.linear(Part::head, "out of the width", width, narrow, false, 1, 1, Passed::by_token);
  list.weights.push_back({.part = Part::head,
                          .name = "vocabulary",
                          .rows = *card.vocabulary,
                          .cols = narrow,
                          .passed = Passed::by_token,
                          .shared = *card.tied});
}

}  // namespace

std::string_view name(Part part) {
  constexpr std::array<std::string_view, part_count> names{"embedding", "attention", "feed_forward",
                                                           "norm",      "head",      "other"};
  return names[static_cast<std::size_t>(part)];
}

double copies_met(const Weight& w, double tokens) {
  const double copies = static_cast<double>(w.copies), share = static_cast<double>(w.active) / copies;
  return share >= 1 ? copies : copies * (1 - std::pow(1 - share, tokens));
}

Index norms_of_a_layer(const Card& card, Index steps) {
  if (card.parallel) return card.norms_in_parallel;
  return card.norm.place == NormPlace::both ? 2 * steps : steps;
}

std::vector<Weight> weights_of(const Card& card) {
  if (!card.countable())
    throw Failure(
        about(words("model")).found(card.name).fault("its layers are not known, so nothing is counted"));
  List list(card);
  add_embedding(list, card);
  add_encoder(list, card);
  if (card.latent)
    add_latent_attention(list, card, card.depth());
  else
    add_attention(list, card, card.depth(), Passed::by_token, Passed::by_token);
  add_feed_forward(list, card);
  const Index steps = card.stacks == Stacks::both ? 3 : 2;
  list.norm("layers", *card.width, card.depth() * norms_of_a_layer(card, steps));
  if (*card.norm.final) list.norm("final", *card.width, 1);
  const Index bias_tables =
      card.stacks == Stacks::both ? 2 : 1;  // one for each stack, which its layers share
  list.vector(Part::other, "distances", static_cast<Index>(card.buckets) * *card.heads, bias_tables);
  add_head(list, card);
  return std::move(list.weights);
}

Parameters parameters_of(const Card& card) {
  Parameters sum;
  for (const Weight& w : weights_of(card)) {
    if (w.shared) continue;
    const double all = w.size() * static_cast<double>(w.copies);
    sum.total += all;
    sum.active += w.size() * static_cast<double>(w.active);
    sum.parts[static_cast<std::size_t>(w.part)] += all;
  }
  return sum;
}

}  // namespace orrery::model
