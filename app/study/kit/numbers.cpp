#include "app/study/kit/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/study/kit/checks.h"

namespace orrery::study {

using tensor::Index;

std::vector<double> counted(Index count) {
  std::vector<double> n(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < n.size(); ++i) n[i] = static_cast<double>(i);
  return n;
}

std::vector<double> numbered(Index count) {
  std::vector<double> places = counted(count);
  for (double& place : places) ++place;
  return places;
}

std::vector<double> symmetric(double end, int count) {
  std::vector<double> x;
  for (int i = 0; i < count; ++i) x.push_back(end * (2.0 * i / (count - 1) - 1));
  return x;
}

std::vector<double> row_of(const tensor::Matrix<double>& matrix, Index row) {
  const double* first = matrix.data() + row * matrix.cols();
  return {first, first + matrix.cols()};
}

tensor::Matrix<double> row_matrix(const std::vector<double>& x) {
  return Eigen::Map<const tensor::Matrix<double>>(x.data(), 1, std::ssize(x));
}

tensor::Matrix<double> cosines_of(tensor::Matrix<double> rows) {
  for (Index r = 0; r < rows.rows(); ++r)
    if (const double length = rows.row(r).norm(); length > 0) rows.row(r) /= length;  // what is 0 stays 0
  return rows * rows.transpose();
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  Worst most;
  for (std::size_t i = 0; i < a.size(); ++i) most.meet(std::abs(a[i] - b[i]));
  return most;
}

double largest(std::span<const double> x) {
  Worst most;
  for (const double each : x) most.meet(std::abs(each));
  return most;
}

bool has(const parameter::Settings& settings, std::string_view name) {
  return std::ranges::find(settings.declared(), name, &parameter::Parameter::name) !=
         settings.declared().end();
}

tensor::Matrix<double> matrix_of(const parameter::Settings& settings, std::string_view name) {
  const parameter::Matrix& typed = settings.matrix(name);
  tensor::Matrix<double> m(static_cast<Index>(typed.rows), static_cast<Index>(typed.columns));
  std::ranges::copy(typed.values, m.data());
  return m;
}

std::uint64_t seed_of(const parameter::Settings& settings) {
  return static_cast<std::uint64_t>(settings.integer("seed"));
}

}  // namespace orrery::study
