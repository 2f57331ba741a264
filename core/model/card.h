// What a model is made of, as its config.json says it: norms, positions, attention, feed-forward layers, experts, sizes.
//
// Reads      files of Hugging Face transformers, versions 4 and 5, and card files with the same keys for models that never
//            had one (the original Transformer, GPT-3, PaLM). Where the file is silent the model type's class is asked
//            (card_family.h), and that is said. What neither says stays unknown: a guess would be counted in parameters.
// Counted    in weights.h (parameters) and cost.h (operations, bytes of the cache).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/rope_config.h"
#include "core/tensor/view.h"

namespace orrery::model {

enum class NormKind : std::uint8_t { layer_norm, rms_norm, unknown };
/// Before attention and feed-forward, after the sum with what went past them, before and after them, or after them but
/// before the sum.
enum class NormPlace : std::uint8_t { pre, post, both, output, unknown };
/// Queries and keys normalised: head by head, all heads as one row, or head by head without a weight.
enum class QueryKeyNorm : std::uint8_t { none, head, all, plain };

std::string_view name(NormKind);   ///< "layer_norm"
std::string_view name(NormPlace);  ///< "pre"

struct CardNorm {
  NormKind kind = NormKind::unknown;
  NormPlace place = NormPlace::unknown;
  std::optional<double> eps{};
  std::optional<bool> weight_offset{};  ///< multiplies by 1 + w
  std::optional<bool> bias{};
  std::optional<bool> final{};  ///< one more behind the last layer
  bool embedding = false;       ///< one on the embedding
  QueryKeyNorm query_key = QueryKeyNorm::none;
};

/// Multi-head latent attention: keys and values of all heads come from one short vector, and that is what is kept.
struct CardLatent {
  tensor::Index query_rank = 0;  ///< 0: queries come from the whole width
  tensor::Index key_value_rank = 0, rope_width = 0, still_width = 0;
};

struct CardExperts {
  tensor::Index total = 0;   ///< to choose from, in a layer that has experts; 0: none has
  tensor::Index active = 0;  ///< chosen for each token
  tensor::Index shared = 0;  ///< that every token passes besides
  tensor::Index hidden_width = 0, shared_width = 0;
  bool router_bias = false;
};

struct CardLayer {
  double window = 0;  ///< tokens, the query's own among them; 0: the whole text
  bool chunked = false;
  bool experts = false;
  bool banded = false;  ///< sees a band whose width was never published: counted as the whole text
  bool operator==(const CardLayer&) const = default;
};

struct Card {
  std::string name{};    ///< "gpt2", or the file's
  std::string source{};  ///< where its facts are from
  std::string model_type{};
  bool known = false;  ///< its class is known, so that its weights can be counted
  Stacks stacks = Stacks::decoder;

  std::optional<tensor::Index> width{}, heads{}, kv_heads{}, head_width{}, hidden_width{}, vocabulary{};
  std::optional<tensor::Index> value_width{};  ///< of a head; where it is not head_width
  std::vector<CardLayer> layers{};    ///< of the decoder, or of the only stack; empty: not known how many
  tensor::Index encoder_layers = 0;   ///< of the encoder beside it
  tensor::Index embedding_width = 0;  ///< where the table is narrower than the layers; 0: it is not

  CardNorm norm{};
  bool parallel = false;      ///< attention and feed-forward side by side on the same input
  int norms_in_parallel = 2;  ///< each its own, or one for both

  PositionKinds positions{};
  std::vector<RopeLayer> rope{};       ///< of rotary positions
  double longest = 0;                  ///< tokens that it is made for; 0: not said
  tensor::Index position_rows = 0;     ///< of a learned table
  tensor::Index relative_rows = 0;     ///< of each layer's table of vectors for distances, as wide as a head
  int relative_products = 0;           ///< which of query and key those are multiplied with: one or both
  double buckets = 0, far_bucket = 0;  ///< T5's, and the distance from which on all share one
  tensor::Index token_types = 0;       ///< BERT's two kinds of sentences
  double sinusoid_base = 0;

  std::string activation{};     ///< "gelu_tanh"; empty: unknown
  double activation_slope = 1;  ///< of "swish": x σ(slope · x)
  double activation_limit = 0;  ///< both halves of the gate are clamped there; 0: they are not
  std::optional<bool> gated{};
  std::optional<bool> bias{};  ///< in any of the linear maps: which ones say the three below
  bool query_bias = false, output_bias = false, feed_forward_bias = false;
  bool sinks = false;   ///< a learned logit for each head that takes weight and gives nothing
  bool pooler = false;  ///< BERT's map of the first token
  std::optional<bool> tied{};
  std::optional<CardLatent> latent{};
  CardExperts experts{};

  std::vector<position::RopeWarning> warnings{};
  /// What else is not from the file but as its family has it: "window", "activation", "epsilon", "tied". Published files
  /// leave these out, so that it is nothing to be warned of; sizes that are missing are among the warnings.
  std::vector<std::string> by_family{};

  /// Whether class and sizes are known: else nothing is counted.
  bool countable() const;
  /// Whether operations and cache are at most what is counted: of layers whose band is not known.
  bool counts_at_most() const;
  tensor::Index depth() const { return std::ssize(layers); }
};

/// What else there is to say at a length: that the model was not made for it.
std::vector<position::RopeWarning> warnings_at(const Card&, double length);

/// Throws Failure, one line, for a file that cannot be read or resolved.
Card read_card(const std::filesystem::path&, file::Accept = file::Accept::files);
/// `origin` is what errors call the text: a file name.
Card parse_card(std::string_view json, std::string_view name, std::string_view origin);

}  // namespace orrery::model
