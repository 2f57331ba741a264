// A study by its id. The list of all is app/study/studies.txt, from which the build makes studies().
#include <algorithm>
#include <string>
#include <vector>

#include "app/study/study.h"
#include "core/parameter/shown.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::study {

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
