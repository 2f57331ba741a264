// How long the texts were that a model was trained on, before its positions were stretched: what its pairs have seen.
//
// In this order
//   original   original_max_position_embeddings, wherever it stands in the file
//   known      what its makers say of the model type, trained_length.cpp, or of its training in a key of their own
//   linear     M/s where positions are divided by s
//   longest    M, max_position_embeddings or a key of that meaning; its class's where the file has none
// A layer with a window W has seen no distance beyond it: min(L, W).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "core/model/json.h"
#include "core/model/longest_length.h"

namespace orrery::model {

struct RopeLayer;
struct RopeSpan;

enum class TrainedBy : std::uint8_t { nobody, original, known, linear, longest };

struct TrainedLength {
  double tokens = 0;  ///< 0: nobody says
  TrainedBy by = TrainedBy::nobody;
  std::string key;  ///< of the file, that was read for it; empty: none was

  /// What layers with a window of so many tokens have seen of it; 0: no window.
  double seen(double window) const;
};

/// Who says it: "n_positions", "max_position_embeddings over factor", "what is known of the model", "the default of its
/// class" …
std::string words_of(const TrainedLength&);

/// A length that the makers published beside the file, not in it.
struct KnownLength {
  std::string_view model_type;
  double longest = 0;  ///< max_position_embeddings of the files it is true of; 0: of any
  double window = 0;   ///< their sliding_window; 0: whatever it is
  double tokens = 0;
};
std::span<const KnownLength> known_lengths();

/// `rope` is the file's dictionary, or nullptr. The layers are resolved, and `longest` is what they were resolved with.
TrainedLength trained_length(Fields& top, const nlohmann::json* rope, std::string_view plain_type,
                             std::span<const RopeLayer>, const LongestLength& longest);

}  // namespace orrery::model
