// The list of all studies. To add one: a file app/study/<topic>/<name>.cpp that defines it, its name in
// studies.h, and a line here.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/study/studies.h"
#include "core/parameter/shown.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::study {

std::span<const Study* const> studies() {
  static constexpr std::array all{&rope_rotation,
                                  &rope_angles,
                                  &rope_wavelengths,
                                  &rope_relative,
                                  &rope_cache_offset,
                                  &rope_layout,
                                  &rope_precision,
                                  &rope_scaling,
                                  &rope_model,
                                  &rope_identify,
                                  &extrapolation_decay,
                                  &extrapolation_base,
                                  &extrapolation_coverage,
                                  &extrapolation_scores,
                                  &extrapolation_entropy,
                                  &position_sinusoidal,
                                  &position_dot_product,
                                  &position_shift,
                                  &position_sum,
                                  &position_alibi,
                                  &position_t5,
                                  &position_bias_compare,
                                  &position_compare,
                                  &norm_compare,
                                  &attention_scores,
                                  &activation_functions,
                                  &numerics_twins,
                                  &figure_marks};
  return all;
}

namespace {

/// An id is near when the typed text is part of it, or by how few letters they differ.
int distance(std::string_view typed, std::string_view id) {
  const bool part = !typed.empty() && id.find(typed) != std::string_view::npos;
  return part ? 0 : parameter::edit_distance(typed.substr(0, 2 * id.size()), id);
}

}  // namespace

const Study& find(std::string_view id) {
  for (const Study* study : studies())
    if (study->id == id) return *study;

  std::vector<const Study*> nearest(studies().begin(), studies().end());
  std::ranges::stable_sort(nearest, {}, [&](const Study* s) { return distance(id, s->id); });
  nearest.resize(std::min<std::size_t>(nearest.size(), 3));
  std::string message = "study: '" + parameter::brief(id) + "' is not known; nearest: ";
  for (const Study* study : nearest) message += (study == nearest[0] ? "" : ", ") + std::string(study->id);
  throw InvalidArgument(message);
}

}  // namespace orrery::study
