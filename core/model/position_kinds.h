// How a model tells positions apart, by its config.json: only some rotate.
//
// Read       in this order: keys that say it (alibi, attn_config.alibi, position_embedding_type …), the model type,
//            keys that only rotary positions have (rope_theta, rotary_pct, rope_scaling …). Where none of them says
//            anything the kind is unknown: a default would be a guess.
// Source     the configuration and modelling files of Hugging Face transformers, and the models' own code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/json.h"

namespace orrery::model {

enum class Positions : std::uint8_t {
  rotary,
  learned,
  sinusoidal,
  alibi,
  t5,
  relative,
  convolution,
  none,
  unknown
};

/// "rotary", "learned" …
std::string_view name(Positions);
/// In a few words: "learned positions: a row of a table is added at each place".
std::string_view words_of(Positions);

/// What a model is built of.
enum class Stacks : std::uint8_t { decoder, encoder, both };

struct PositionKinds {
  Positions kind = Positions::unknown;  ///< of the decoder where there is an encoder besides
  Stacks stacks = Stacks::decoder;
  Positions encoder = Positions::unknown;  ///< where there are both
  std::string said_by;                     ///< "alibi", "model_type bloom"; empty: nothing says it
};

/// "decoder", "encoder", or "encoder and decoder" where both have the same; each with its kind.
struct StackPositions {
  std::string_view stack;
  Positions kind;
};
std::vector<StackPositions> by_stack(const PositionKinds&);

PositionKinds positions_of(Fields& top, std::string_view model_type);

/// As the tables of this folder spell it: lower case, '_' for '-'.
std::string plain_type(std::string_view model_type);
/// Whether the file has a key that only rotary positions have.
bool has_rotary_key(Fields& top);

}  // namespace orrery::model
