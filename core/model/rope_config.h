// What a published model's config.json says about rotary positions, with every default filled in.
//
// Reads      `rope_scaling` (transformers v4) and `rope_parameters` (v5, flat or one per layer type), values
//            at the top or in `text_config`; nulls count as absent, whole numbers as real ones. Keys that have
//            nothing to do with rotary positions are passed over; rotary keys that nobody reads are reported.
//            Where the file is silent the model type's class is asked (class_defaults.h), and that is said.
// Source     Hugging Face transformers, modeling_rope_utils; the models' own code where a model has a rule of
//            its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/file/source.h"
#include "core/model/position_kinds.h"
#include "core/model/trained_length.h"
#include "core/position/rope.h"
#include "core/position/rope_frequencies.h"

namespace orrery::model {

/// Attention layers of one kind: how far they see.
struct RopeSpan {
  std::string name;   ///< "full_attention", "sliding_attention", "chunked_attention"
  double window = 0;  ///< tokens, the query's own among them; 0: the whole text
  bool operator==(const RopeSpan&) const = default;
};

/// The rule of one kind of layer.
struct RopeLayer {
  std::string name;  ///< "all", or as in the file: "full_attention", "sliding_attention"
  /// "default", "yarn" …, older names replaced; "none": layers without rotary positions
  std::string rope_type;
  double base = 10000;  ///< the one that inv_freq comes from: grown by ntk and dynamic, else the file's
  tensor::Index rotary_dim = 0, head_dim = 0;
  position::RopeLayout layout = position::RopeLayout::half;
  bool rotary_last = false;  ///< the columns that turn are a head's last ones, not its first
  std::vector<double> inv_freq;
  double attention_factor = 1;
  double softmax_factor = 1;          ///< what multiplies 1/√head_dim: see score_scale.h
  std::vector<int> sections;          ///< pairs per axis of M-RoPE (time, height, width); empty: one axis
  bool sections_interleaved = false;  ///< the axes take turns, pair by pair, instead of blocks
  position::RopeRule rule;            ///< with every default
  position::RopeFrequencies frequencies;
  std::vector<RopeSpan> spans;  ///< the kinds of attention that share this rule
};

struct RopeConfig {
  std::string model_type;
  PositionKinds positions;
  /// Empty unless positions are rotary.
  std::vector<RopeLayer> layers;
  TrainedLength trained;  ///< of the training that the frequencies come from, before any extension
  std::vector<position::RopeWarning> warnings;
};

/// `length` is the current length in tokens, for the rules that change with it (dynamic, longrope); none: a
/// short text. Throws Failure, one line, for a file that cannot be read or resolved; InvalidArgument for an
/// impossible length.
RopeConfig read_rope_config(const std::filesystem::path&, std::optional<double> length = {},
                            file::Accept = file::Accept::files);
/// `origin` is what errors call the text: a file name.
RopeConfig parse_rope_config(std::string_view json, std::string_view origin,
                             std::optional<double> length = {});

}  // namespace orrery::model
