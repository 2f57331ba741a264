// What attention/map is asked for.
#pragma once

#include "app/study/attention/map_files.h"
#include "core/attention/score_map.h"
#include "core/attention/weight_map.h"
#include "core/gpu/device_thread.h"
#include "core/parameter/settings.h"

namespace orrery::study {

struct MapAsked {
  attention::ScoreContent content;  ///< of files their tokens, width, scale and seed alone
  std::optional<MapFiles> files{};
  attention::Mask mask;
  attention::Shows shows = attention::Shows::mean;
  bool weights = false;                         ///< softmax of the scores, not the scores
  tensor::Index rows = 2;                       ///< that a block of weights is estimated from
  tensor::Index query = 1;                      ///< the marked row; it has a key before it
  tensor::Index key = 0;                        ///< of the score that is worked out
  std::shared_ptr<gpu::DeviceThread> device{};  ///< none: the processor
};

/// Places past the last token mean the last. Files are looked through here, and it throws what map_files throws; and
/// Failure where the graphics device is asked for and there is none.
MapAsked map_asked(const parameter::Settings&, const Run&);

attention::ScoreMap score_map_of(const MapAsked&, const attention::Mask&);
/// Where the device takes them; else none.
attention::TileSums tile_sums_of(const MapAsked&);

/// By how much a product of two vectors may be off, beside the product of their lengths.
double product_slack(const MapAsked&);

/// The root mean square of the components of queries and of keys, multiplied: that of what tokens have alone, or of the files.
double own_square(const MapAsked&);
/// The longest that a vector can be.
double longest_vector(const MapAsked&);

}  // namespace orrery::study
