// What attention/memory draws: the cache by length and by sharing, all models, and a step on the roofline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/study/kit/series.h"
#include "core/model/serving.h"

namespace orrery::study {

/// Bytes as memory is counted: 128 KiB.
std::string memory_text(double bytes);
/// "MHA", as the field calls it.
std::string sharing_name(model::Sharing);

/// A way to share keys and values, and what it keeps.
struct SharedCache {
  model::Sharing sharing = model::Sharing::heads;
  model::Card card{};
  double kept_a_token = 0, kept = 0;  ///< bytes; of one text's token, of all texts
  bool own = false;                   ///< as the model was published
};

/// Lines by length, of all texts, in GiB; `lengths` has a column of each sharing's name, and "weights a step reads": of a
/// mixture of experts not all.
struct LengthsAsked {
  double length = 1;
  std::optional<double> outweighs{};  ///< from which length on the cache does
};
figure::Panel lengths_panel(const Series& lengths, const std::vector<SharedCache>&, const LengthsAsked&);

/// A bar for each.
figure::Panel sharing_panel(const std::vector<SharedCache>&);

/// Bytes a token over parameters, a point for each model; `models` is a table with these columns.
figure::Panel models_panel(const figure::Table& models, const std::string& chosen);

struct RoofAsked {
  double texts = 1;
  model::Load writing{}, reading{};
  std::optional<double> filled_from{};  ///< texts from which on arithmetic limits
  std::string measured{};               ///< which machine, where one was: "AMD EPYC, 2 threads, 2026-11-25"
};
/// Speed by operations a byte; `roof` has columns "memory" and "arithmetic" over intensity, `batches` what writing reaches.
figure::Panel roof_panel(const Series& roof, const Series& batches, const model::Machine&, const RoofAsked&);
/// Tokens a second by texts at once.
figure::Panel speed_panel(const Series& batches, const model::Machine&, const RoofAsked&);

}  // namespace orrery::study
