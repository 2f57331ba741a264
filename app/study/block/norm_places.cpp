#include "app/study/block/norm_places.h"

#include <algorithm>
#include <array>

namespace orrery::study {

using transformer::Placement;

std::span<const NormPlace> norm_places() {
  static constexpr auto places = std::to_array<NormPlace>({
      {"post", "Post-LN", Placement::post},
      {"pre", "Pre-LN", Placement::pre},
      {"sandwich", "sandwich", Placement::sandwich},
      {"peri", "Peri-LN", Placement::sandwich, true},
      {"output", "output norm", Placement::output},
      {"parallel", "parallel", Placement::parallel},
      {"deep_norm", "DeepNorm", Placement::deep_norm},
  });
  return places;
}

const NormPlace& norm_place(std::string_view key) {
  return *std::ranges::find(norm_places(), key, &NormPlace::key);
}

figure::Ink ink_of(const NormPlace& place) {
  const auto index =
      static_cast<int>(std::ranges::find(norm_places(), place.key, &NormPlace::key) - norm_places().begin());
  constexpr int colors = 6;
  return index < colors ? figure::series(index) : figure::Ink{figure::Role::text, 0, 1};
}

}  // namespace orrery::study
