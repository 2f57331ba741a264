// Small sums over columns, and the worst of what a check looks at.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/figure/table.h"
#include "core/parameter/settings.h"
#include "core/tensor/view.h"

namespace orrery::study {

/// A whole number among real ones.
constexpr double number(auto n) {
  return static_cast<double>(n);
}

/// 0, 1, 2 …, so many.
std::vector<double> counted(tensor::Index count);
/// 1, 2, 3 …, so many.
std::vector<double> numbered(tensor::Index count);
/// So many from −end to end, evenly spread; an odd number of them has 0 in the middle.
std::vector<double> symmetric(double end, int count);
/// A row of a matrix.
std::vector<double> row_of(const tensor::Matrix<double>&, tensor::Index row = 0);
/// A matrix of one row.
tensor::Matrix<double> row_matrix(const std::vector<double>&);
/// Cosines of all pairs of rows; of a row that is 0, 0.
tensor::Matrix<double> cosines_of(tensor::Matrix<double> rows);

/// Of two columns of one length; where the lengths differ, infinite.
double largest_difference(std::span<const double> a, std::span<const double> b);
/// Of the absolute values.
double largest(std::span<const double> x);

/// Whether there is such a parameter.
bool has(const parameter::Settings&, std::string_view name);
/// Of a parameter of kind matrix.
tensor::Matrix<double> matrix_of(const parameter::Settings&, std::string_view name);
/// Of the random numbers, from the parameter `seed`.
std::uint64_t seed_of(const parameter::Settings&);

/// Words that have a number of their own.
struct Called {
  std::string words;
  double number;
};
/// A number; or words, whose number is that of the row if they have none.
template <class T>
void add_cell(figure::Column& column, const T& value) {
  if constexpr (std::is_same_v<T, Called>) {
    column.words.push_back(value.words);
    column.values.push_back(value.number);
  } else if constexpr (std::is_convertible_v<T, std::string_view>) {
    column.words.emplace_back(std::string_view(value));
    column.values.push_back(static_cast<double>(column.words.size()));
  } else {
    column.values.push_back(static_cast<double>(value));
  }
}
/// A row more, as many values as the table has columns.
void add_row(figure::Table& table, const auto&... values) {
  std::size_t c = 0;
  (add_cell(table.columns.at(c++), values), ...);
}

}  // namespace orrery::study
