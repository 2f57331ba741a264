// The list of all studies. To add one: a file app/study/<topic>/<name>.cpp that defines it, its name in
// studies.h, and a line here.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "app/study/studies.h"
#include "core/tensor/error.h"

namespace orrery::study {

std::span<const Study* const> studies() {
  static constexpr std::array all{&rope_rotation, &position_sinusoidal, &norm_compare, &attention_scores,
                                  &activation_functions};
  return all;
}

namespace {

/// How many letters must be put in, taken out or changed to make one text of the other (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({changed, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

/// An id is near when the typed text is part of it, or by how few letters they differ.
std::size_t distance(std::string_view typed, std::string_view id) {
  const bool part = !typed.empty() && id.find(typed) != std::string_view::npos;
  return part ? 0 : edit_distance(typed, id);
}

}  // namespace

const Study& find(std::string_view id) {
  for (const Study* study : studies())
    if (study->id == id) return *study;

  std::vector<const Study*> nearest(studies().begin(), studies().end());
  std::ranges::stable_sort(nearest, {}, [&](const Study* s) { return distance(id, s->id); });
  nearest.resize(std::min<std::size_t>(nearest.size(), 3));
  std::string message = "study: '" + std::string(id) + "' is not known; nearest: ";
  for (const Study* study : nearest) message += (study == nearest[0] ? "" : ", ") + std::string(study->id);
  throw InvalidArgument(message);
}

}  // namespace orrery::study
