// How long the texts were that a model was trained on, before its positions were stretched: what its pairs have seen.
//
// In this order
//   original   original_max_position_embeddings, wherever it stands in the file
//   known      what its makers say of the model type: trained_length.cpp
//   linear     M/s where positions are divided by s
//   longest    M, max_position_embeddings
// A layer with a window W has seen no distance beyond it: min(L, W).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "core/model/json.h"

namespace orrery::model {

struct RopeLayer;
struct RopeSpan;

enum class TrainedBy : std::uint8_t { nobody, original, known, linear, longest };

/// "original_max_position_embeddings", "what is known of the model", "max_position_embeddings / factor" …
std::string_view words_of(TrainedBy);

struct TrainedLength {
  double tokens = 0;  ///< 0: nobody says
  TrainedBy by = TrainedBy::nobody;

  /// What layers with a window of so many tokens have seen of it; 0: no window.
  double seen(double window) const;
};

/// A length that the makers published beside the file, not in it.
struct KnownLength {
  std::string_view model_type;
  double longest = 0;  ///< max_position_embeddings of the files it is true of; 0: of any
  double window = 0;   ///< their sliding_window; 0: whatever it is
  double tokens = 0;
};
std::span<const KnownLength> known_lengths();

/// `rope` is the file's dictionary, or nullptr. The layers are resolved.
TrainedLength trained_length(Fields& top, const nlohmann::json* rope, std::string_view plain_type,
                             std::span<const RopeLayer>);

}  // namespace orrery::model
