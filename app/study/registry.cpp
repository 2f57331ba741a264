// A study by its id. The list of all is app/study/studies.txt, from which the build makes studies().
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
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

  // Each distance once: a file of thousands of recipes may name none.
  std::vector<std::pair<int, std::string_view>> nearest;
  for (const Study* study : studies()) nearest.emplace_back(distance(id, study->id), study->id);
  std::ranges::stable_sort(nearest, {}, &std::pair<int, std::string_view>::first);
  nearest.resize(std::min<std::size_t>(nearest.size(), 3));
  std::vector<std::string> names;
  for (const auto& [apart, name] : nearest) names.emplace_back(name);
  throw InvalidArgument(about(Subject::Kind::key, "study")
                            .found(parameter::brief(id))
                            .fault("{} is not known", in_apostrophes(parameter::brief(id)))
                            .near(std::move(names)));
}

}  // namespace orrery::study
