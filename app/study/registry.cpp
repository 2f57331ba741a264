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
  std::vector<std::string> names;
  for (const Study* study : nearest) names.emplace_back(study->id);
  throw InvalidArgument(about(Subject::Kind::key, "study")
                            .found(parameter::brief(id))
                            .fault("{} is not known", in_apostrophes(parameter::brief(id)))
                            .near(std::move(names)));
}

}  // namespace orrery::study
