// A study asked with a few settings, and its tables read by name.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/study/study.h"
#include "core/tensor/error.h"

namespace orrery::study {

using Changes = std::initializer_list<std::pair<const char*, const char*>>;

inline StudyResult compute(std::string_view id, Changes changes, DeviceChoice device = DeviceChoice::ref) {
  const Study& study = find(id);
  parameter::Settings settings(study.parameters);
  for (const auto& [name, text] : changes) settings.set(name, std::string_view(text));
  Run run;
  run.device = device;
  return study.compute(settings, run);
}

inline const figure::Table& table(const StudyResult& result, std::string_view name) {
  for (const auto& each : result.tables)
    if (each.name == name) return each;
  throw InvalidArgument("no table " + std::string(name));
}

/// Of a result that goes away: the table itself.
inline figure::Table table(StudyResult&& result, std::string_view name) {
  return table(std::as_const(result), name);
}

/// Itself, not a reference: a compiler cannot see that it would not be into a name made for the call.
inline std::vector<double> column_called(const StudyResult& result, std::string_view name,
                                         std::string_view head) {
  for (const figure::Column& each : table(result, name).columns)
    if (each.name == head) return each.values;
  throw InvalidArgument("no column " + std::string(head));
}

/// The value in `column` of the row whose first column is `key`.
inline double at(const figure::Table& t, double key, std::size_t column) {
  const auto& keys = t.columns[0].values;
  const auto row = std::ranges::find(keys, key);
  if (row == keys.end()) throw InvalidArgument("no such row");
  return t.columns.at(column).values[static_cast<std::size_t>(row - keys.begin())];
}

inline bool all_hold(const StudyResult& result) {
  return std::ranges::all_of(result.checks, &Check::holds);
}

}  // namespace orrery::study
