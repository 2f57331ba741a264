// What block/walk is asked for: one model or two, whole, with their words and their numbers.
#pragma once

#include <string>
#include <vector>

#include "core/parameter/settings.h"
#include "core/transformer/transformer.h"

namespace orrery::study::block_walk {

using tensor::Index;

inline constexpr std::size_t most_words = 64;

/// Parts of the diagrams, as `part` has them; not every model has every one: walk_parts.h.
inline constexpr std::string_view all_parts =
    "decoder_cross|decoder_cross_norm|decoder_cross_inner|decoder_cross_add|decoder_attention|"
    "decoder_attention_norm|decoder_attention_inner|decoder_attention_add|decoder_feed_forward|"
    "decoder_feed_forward_norm|decoder_feed_forward_inner|decoder_feed_forward_add|decoder_embedding|"
    "decoder_final_norm|encoder_embedding|encoder_attention|encoder_attention_norm|encoder_attention_inner|"
    "encoder_attention_add|encoder_feed_forward|encoder_feed_forward_norm|encoder_feed_forward_inner|"
    "encoder_feed_forward_add|encoder_final_norm|logits|probabilities";

struct Model {
  std::string name;  ///< "original", "llama", "custom"
  transformer::Config config;
  std::vector<std::string> vocabulary;
  std::vector<std::string> source,
      words;  ///< what the encoder of two stacks reads; what the last stack reads
  transformer::Batch batch;
  std::vector<double> values;
  bool from_file = false;
  Index last = 0;  ///< of the words, the one whose next word is asked for: behind it is padding alone

  bool has_both() const { return config.family == transformer::Family::encoder_decoder; }
  bool decodes() const { return config.family != transformer::Family::encoder; }
};

struct Asked {
  std::vector<Model> models;
  std::string part;
  Index layer = 0, head = 0;
};

/// Throws InvalidArgument or Failure where a text has no words or a file holds no such model.
Asked asked_of(const parameter::Settings&);

}  // namespace orrery::study::block_walk
