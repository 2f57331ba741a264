// Which layers see how far, and which have experts.
#include "core/model/card_reader.h"
#include "core/model/layer_kinds.h"

namespace orrery::model {
namespace {

using tensor::Index;

struct Pattern {
  double window = 0;
  bool chunked = false;
  Index full_every = 0;  ///< every such layer sees the whole text; 0: none does
};

double window_of(CardReader& reader, std::string_view key, double by_class) {
  if (!reader.top.stands(key)) {
    if (by_class > 0) reader.take_from_family("window");
    return by_class;
  }
  return static_cast<double>(reader.top.whole(key, 0, 1'000'000'000'000).value_or(0));
}

/// Of families whose layers take turns, or all have a window.
Pattern pattern_of(CardReader& reader) {
  Fields& top = reader.top;
  if (reader.is("mistral") || reader.is("mixtral") || reader.is("phi3"))
    return {window_of(reader, "sliding_window", reader.is("mistral") ? 4096 : 0)};
  if (reader.is("gemma2")) return {window_of(reader, "sliding_window", 4096), false, 2};
  if (reader.is("gpt_oss")) return {window_of(reader, "sliding_window", 128), false, 2};
  if (reader.is("olmo3")) return {window_of(reader, "sliding_window", 4096), false, 4};
  if (reader.is("gemma3_text") || reader.is("gemma3"))
    return {window_of(reader, "sliding_window", 4096), false,
            top.whole("sliding_window_pattern", 1, 1 << 12).value_or(6)};
  if (reader.is("llama4_text") || reader.is("llama4"))
    return {window_of(reader, "attention_chunk_size", 8192), true,
            top.whole("no_rope_layer_interval", 0, 1 << 20).value_or(4)};
  if (reader.type.starts_with("qwen") && reader.flag("use_sliding_window", false))
    return {window_of(reader, "sliding_window", 4096)};
  return {};
}

bool wrong_count(CardReader& reader, const char* key, std::size_t named, const Card& card) {
  if (named == card.layers.size()) return false;
  reader.warnings.push_back({key, "names " + std::to_string(named) + " layers where there are " +
                                      std::to_string(card.depth()) + ", so nothing is counted"});
  return true;
}

bool read_spans(CardReader& reader, Card& card) {
  const Pattern pattern = pattern_of(reader);
  const Index whole_below =  // Qwen's first layers see everything
      reader.type.starts_with("qwen") ? reader.top.whole("max_window_layers", 0, 1 << 12).value_or(28) : 0;
  for (Index i = 0; i < card.depth(); ++i) {
    const bool full = i < whole_below || (pattern.full_every > 0 && (i + 1) % pattern.full_every == 0) ||
                      pattern.window <= 0;
    if (!full) card.layers[static_cast<std::size_t>(i)] = {pattern.window, pattern.chunked, false};
    // 2005.14165, section 2.1: "alternating dense and locally banded sparse attention patterns".
    if (reader.is("gpt3")) card.layers[static_cast<std::size_t>(i)].banded = i % 2 == 1;
  }
  if (!reader.top.has("layer_types")) {
    // Llama 4: 0 where a layer does not turn, and then sees the whole text.
    const std::vector<double> turns = pattern.chunked ? turning_list(reader.top) : std::vector<double>();
    if (turns.empty()) return true;
    if (wrong_count(reader, "no_rope_layers", turns.size(), card)) return false;
    for (std::size_t i = 0; i < turns.size(); ++i)
      card.layers[i] = turns[i] == 0 ? CardLayer() : CardLayer{pattern.window, pattern.window > 0, false};
    return true;
  }
  const std::vector<std::string> kinds = *reader.top.texts("layer_types");
  if (wrong_count(reader, "layer_types", kinds.size(), card)) return false;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == "full_attention")
      card.layers[i] = {};
    else if (kinds[i] == "sliding_attention")
      card.layers[i] = {window_of(reader, "sliding_window", pattern.window), false, false};
    else if (kinds[i] == "chunked_attention")
      card.layers[i] = {window_of(reader, "attention_chunk_size", pattern.window), true, false};
    else {
      reader.warnings.push_back(
          {"layer_types", "“" + kinds[i] + "” is no layer that is known, so nothing is counted"});
      return false;
    }
  }
  return true;
}

}  // namespace

bool read_layers(CardReader& reader, Index count, Card& card) {
  card.layers.assign(static_cast<std::size_t>(count), {});
  return read_spans(reader, card);
}

void read_experts(CardReader& reader, Card& card) {
  Fields& top = reader.top;
  CardExperts& experts = card.experts;
  constexpr Index most = 1 << 14;
  Index from = 0, every = 1;
  if (reader.is("mixtral")) {
    experts = {*reader.size({"num_local_experts"}, 8, most), *reader.size({"num_experts_per_tok"}, 2, most)};
    experts.hidden_width = *card.hidden_width;
  } else if (reader.is("gpt_oss")) {
    experts = {*reader.size({"num_local_experts"}, 128, most),
               *reader.size({"num_experts_per_tok", "experts_per_token"}, 4, most)};
    experts.hidden_width = *card.hidden_width;
    experts.router_bias = true;
  } else if (reader.is("qwen3_moe")) {
    experts = {*reader.size({"num_experts", "num_local_experts"}, 128, most),
               *reader.size({"num_experts_per_tok"}, 8, most)};
    experts.hidden_width = *reader.size({"moe_intermediate_size"}, 768);
    every = top.whole("decoder_sparse_step", 1, most).value_or(1);
    from = every - 1;
  } else if (reader.is("llama4_text") || reader.is("llama4")) {
    experts = {*reader.size({"num_local_experts"}, 16, most), *reader.size({"num_experts_per_tok"}, 1, most),
               1};
    experts.hidden_width = experts.shared_width = *reader.size({"intermediate_size"}, 8192);
    every = top.whole("interleave_moe_layer_step", 1, most).value_or(1);
    from = every - 1;
  } else if (reader.is("deepseek_v2") || reader.is("deepseek_v3")) {
    const bool third = reader.is("deepseek_v3");
    if (!third && top.stands("n_routed_experts") && !top.has("n_routed_experts")) return;
    experts = {*reader.size({"n_routed_experts"}, third ? 256 : 64, most),
               *reader.size({"num_experts_per_tok"}, third ? 8 : 6, most),
               *reader.size({"n_shared_experts"}, third ? 1 : 2, most)};
    experts.hidden_width = experts.shared_width =
        *reader.size({"moe_intermediate_size"}, third ? 2048 : 1407);
    experts.router_bias = third;  // what balances the load: e_score_correction_bias
    from = top.whole("first_k_dense_replace", 0, most).value_or(third ? 3 : 0);
    every = top.whole("moe_layer_freq", 1, most).value_or(1);
    for (Index i = from; i < card.depth(); ++i)
      card.layers[static_cast<std::size_t>(i)].experts = i % every == 0;
    return;
  } else {
    return;
  }
  std::vector<double> dense = top.numbers("mlp_only_layers").value_or(std::vector<double>{});
  for (Index i = from; i < card.depth(); i += every)
    card.layers[static_cast<std::size_t>(i)].experts =
        std::ranges::find(dense, static_cast<double>(i)) == dense.end();
}

}  // namespace orrery::model
