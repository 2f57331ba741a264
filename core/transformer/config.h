// What a model is made of. Everything else follows: its parameters and their names (layout.h), forward and backward.
#pragma once

#include "core/transformer/stack.h"

namespace orrery::transformer {

enum class Family { decoder, encoder, encoder_decoder };

/// How a model tells positions apart.
enum class Positions { none, learned, sinusoidal, rope, alibi, t5, fire };

struct Config {
  Family family = Family::decoder;
  Index vocabulary = 256;
  Index length = 128;         ///< tokens that a learned table has rows for
  Index width = 64;           ///< D
  Index layers = 2;           ///< of the decoder; of an encoder that stands alone: its own
  Index encoder_layers = 0;   ///< of an encoder–decoder; 0: as many as the decoder
  Index heads = 4;            ///< H
  Index key_value_heads = 0;  ///< grouped queries; 0: as many as heads
  Index head_width = 0;       ///< 0: D/H
  Index hidden = 256;         ///< F, of the feed-forward network

  NormConfig norm = {};
  Placement placement = Placement::pre;
  bool embedding_norm = false;          ///< with sandwich: Peri-LN
  std::optional<bool> final_norm = {};  ///< where not given: if no norm stands at the end of a block
  QkNorm qk_norm = QkNorm::none;

  activation::ActivationParams activation = activation::Kind::gelu;
  bool gated = false;
  bool bias = true;  ///< of linear maps

  Positions positions = Positions::learned;
  RotationConfig rope = {};
  Index t5_buckets = 32, t5_distance = 128;
  position::FireParams fire = {};
  Index fire_width = 32;
  bool fire_deep = true;

  std::optional<double> score_scale = {}, score_cap = {};  ///< 1/√d and none; T5 has 1
  std::optional<attention::LogN> score_log_n = {};  ///< scores that grow with ln of the keys that are seen
  Index window = 0;  ///< of a decoder: how many tokens a query sees, itself included; 0: all before it
  bool scaled_embedding = false;  ///< by √D
  bool tied = true;               ///< logits by the table of the embedding
};

/// Throws InvalidArgument for a model that cannot be.
void check_config(const Config&);

/// Sizes that are 0 filled in.
Config resolved(Config);

/// Of a resolved model: its encoder's and its decoder's stack.
StackConfig encoder_config(const Config&);
StackConfig decoder_config(const Config&);
/// α and β of each; 1 and 1 for other placements.
DeepNorm encoder_deep_norm(const Config&);
DeepNorm decoder_deep_norm(const Config&);

}  // namespace orrery::transformer
