#include "app/study/kit/series.h"

#include <algorithm>

#include "app/study/kit/numbers.h"
#include "core/tensor/error.h"

namespace orrery::study {

Series& Series::add(figure::Column column) {
  table_.columns.push_back(std::move(column));
  return *this;
}

const std::vector<double>& Series::operator[](std::string_view column) const {
  const auto found = std::ranges::find(table_.columns, column, &figure::Column::name);
  if (found == table_.columns.end())
    throw Failure(
        about(words("table {}", table_.name)).found(column).fault("no column {}", in_apostrophes(column)));
  return found->values;
}

Series Series::first(std::size_t count) const {
  Series some = *this;
  for (figure::Column& column : some.table_.columns)
    if (column.values.size() > count) {
      column.values.resize(count);
      column.words.resize(std::min(count, column.words.size()));
    }
  return some;
}

Series Series::rows(std::span<const std::size_t> places) const {
  Series some = *this;
  for (std::size_t c = 0; c < table_.columns.size(); ++c) {
    figure::Column& picked = some.table_.columns[c];
    picked.values.clear();
    picked.words.clear();
    for (const std::size_t i : places) {
      picked.values.push_back(table_.columns[c].values.at(i));
      if (table_.columns[c].of_words()) picked.words.push_back(table_.columns[c].words.at(i));
    }
  }
  return some;
}

namespace {

/// Where no legend names it, it is called what its column is.
template <class M>
M named(M look, std::string_view column) {
  if (look.label.empty() && look.reading.name.empty()) look.reading.name = column;
  return look;
}

template <class M>
M filled(M look, const std::vector<double>& x, std::string_view column, const std::vector<double>& y) {
  look.x = x;
  look.y = y;
  return named(std::move(look), column);
}

}  // namespace

figure::Line Series::line(std::string_view column, figure::Line look) const {
  return filled(std::move(look), x(), column, (*this)[column]);
}
figure::Points Series::points(std::string_view column, figure::Points look) const {
  return filled(std::move(look), x(), column, (*this)[column]);
}
figure::Stems Series::stems(std::string_view column, figure::Stems look) const {
  return filled(std::move(look), x(), column, (*this)[column]);
}

figure::Bars Series::bars(std::string_view column, figure::Bars look) const {
  look.x = x();
  look.height = (*this)[column];
  return named(std::move(look), column);
}

figure::Band Series::band(std::string_view lo, std::string_view hi, figure::Band look) const {
  look.x = x();
  look.lo = (*this)[lo];
  look.hi = (*this)[hi];
  return look;
}

figure::Table key_table(std::string name, const tensor::Matrix<double>& matrix) {
  figure::Table table{std::move(name), {}};
  const tensor::Matrix<double> keys = matrix.transpose();
  for (tensor::Index n = 0; n < keys.rows(); ++n)
    table.columns.push_back({.name = "key " + std::to_string(n), .values = row_of(keys, n)});
  return table;
}

}  // namespace orrery::study
