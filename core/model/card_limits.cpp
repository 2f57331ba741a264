// What a configuration says that cannot be, and what it says for nothing.
#include "core/model/card_reader.h"

namespace orrery::model {
namespace {

/// Qwen's files have a window that is switched off, by a flag or by the class.
bool switched_off(CardReader& reader) {
  return reader.top.is_flag("use_sliding_window") && !*reader.top.flag("use_sliding_window");
}

void say_unused_windows(CardReader& reader, const Card& card) {
  const bool used = std::ranges::any_of(card.layers, [](const CardLayer& layer) { return layer.window > 0; });
  if (used || card.layers.empty() || switched_off(reader)) return;
  for (const char* key : {"sliding_window", "attention_chunk_size"})
    if (reader.top.whole(key, 0, 1'000'000'000'000).value_or(0) > 0)
      reader.warnings.push_back({key, "is not used: no layer of this model has a window"});
}

}  // namespace

bool agrees_with_itself(CardReader& reader, Card& card) {
  say_unused_windows(reader, card);
  bool agrees = true;
  const auto cannot_be = [&](const char* key, const char* why) {
    reader.warnings.push_back({key, why});
    agrees = false;
  };
  if (card.experts.active > card.experts.total)
    cannot_be("num_experts_per_tok", "asks for more experts than there are, so nothing is counted");
  if (card.heads && card.kv_heads && (*card.kv_heads < 1 || *card.heads % *card.kv_heads != 0))
    cannot_be("num_key_value_heads", "does not divide the heads, so nothing is counted");
  const bool own_head_width = reader.family->head_width > 0 || card.latent ||
                              reader.top.whole({"head_dim", "d_kv", "kv_channels"}, 1, 1 << 16).has_value();
  if (!own_head_width && card.heads && card.width && *card.width % *card.heads != 0)
    cannot_be("num_attention_heads", "does not divide the hidden size, so nothing is counted");
  return agrees;
}

}  // namespace orrery::model
