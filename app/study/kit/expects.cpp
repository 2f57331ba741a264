#include "app/study/kit/expects.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/parameter/parameter.h"
#include "core/tensor/error.h"

namespace orrery::study {
namespace {

const figure::Table& table_of(const StudyResult& result, std::string_view name) {
  const auto found = std::ranges::find(result.tables, name, &figure::Table::name);
  if (found == result.tables.end()) throw Failure(wrong("no table {}", in_apostrophes(name)));
  return *found;
}

}  // namespace

const std::vector<double>& column(const StudyResult& result, std::string_view table,
                                  std::string_view column) {
  const figure::Table& in = table_of(result, table);
  const auto found =
      column.empty() ? in.columns.begin() : std::ranges::find(in.columns, column, &figure::Column::name);
  if (found == in.columns.end())
    throw Failure(
        about(words("table {}", in.name)).found(column).fault("no column {}", in_apostrophes(column)));
  return found->values;
}

std::vector<double> column(StudyResult&& result, std::string_view table, std::string_view name) {
  return column(std::as_const(result), table, name);
}

std::vector<double> column_from(const StudyResult& result, std::string_view table, std::string_view name,
                                double x) {
  const std::vector<double>&keys = column(result, table, {}), &values = column(result, table, name);
  std::vector<double> beyond;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] >= x) beyond.push_back(values[i]);
  return beyond;
}

double at(const StudyResult& result, std::string_view table, std::string_view name, double x) {
  const std::vector<double>&keys = column(result, table, {}), &values = column(result, table, name);
  std::size_t row = keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] <= x && (row == keys.size() || keys[i] >= keys[row])) row = i;
  if (row == keys.size())
    throw Failure(about(words("table {}", table)).fault("no row at {}", parameter::shortest(x)));
  return values[row];
}

double at(const StudyResult& result, std::string_view table, std::string_view name, std::string_view row) {
  const std::vector<std::string>& words = table_of(result, table).columns.at(0).words;
  const auto found = std::ranges::find(words, row);
  if (found == words.end())
    throw Failure(about(orrery::words("table {}", table)).fault("no row {}", in_apostrophes(row)));
  return column(result, table, name)[static_cast<std::size_t>(found - words.begin())];
}

double least(const std::vector<double>& values) {
  return *std::ranges::min_element(values);
}
double most(const std::vector<double>& values) {
  return *std::ranges::max_element(values);
}

}  // namespace orrery::study
