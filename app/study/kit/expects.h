// What a sentence beside a figure promises, read off the result: for Try::expects, a line or two each.
//
//   {"Eight heads: every rule agrees.", "heads=8",
//    [](auto& now, auto&) { return column(now, "slopes", "MPT's code") == column(now, "slopes", "formula"); }}
#pragma once

#include <concepts>
#include <limits>
#include <string_view>
#include <vector>

#include "app/study/study.h"

namespace orrery::study {

/// A column of a table, by their names. Throws Failure where there is none.
const std::vector<double>& column(const StudyResult&, std::string_view table, std::string_view column);
/// Of a result that goes away: the numbers themselves, so that none is read after it.
std::vector<double> column(StudyResult&&, std::string_view table, std::string_view column);
/// The same of the rows from x on; x is the table's first column.
std::vector<double> column_from(const StudyResult&, std::string_view table, std::string_view column,
                                double x);

/// The value at x: of the last row that begins there or, of stretches, before it. Throws Failure where there is none.
double at(const StudyResult&, std::string_view table, std::string_view column, double x);

/// The value in the row of that name: of a table whose first column is words. Throws Failure where there is none.
double at(const StudyResult&, std::string_view table, std::string_view column, std::string_view row);

/// The first x whose value is as asked; none is NaN, which equals and orders nothing.
double x_where(const StudyResult& result, std::string_view table, std::string_view name,
               std::predicate<double> auto&& asked) {
  const std::vector<double>& values = column(result, table, name);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (asked(values[i])) return column(result, table, {})[i];
  return std::numeric_limits<double>::quiet_NaN();
}

double least(const std::vector<double>&);
double most(const std::vector<double>&);

/// From lo to hi, both allowed.
constexpr bool between(double lo, double x, double hi) {
  return lo <= x && x <= hi;
}

}  // namespace orrery::study
