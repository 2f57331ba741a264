// A series: columns over one x. What a figure draws of it is the column, and its table is all of them.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figure/marks.h"
#include "app/figure/table.h"
#include "core/tensor/view.h"

namespace orrery::study {

class Series {
 public:
  /// `name` is that of the table.
  Series(std::string name, figure::Column x) : table_{std::move(name), {std::move(x)}} {}

  Series& add(figure::Column);
  /// f(x) for every x.
  Series& add(figure::Column head, std::invocable<double> auto&& f) {
    head.values.reserve(size());
    for (const double at : x()) head.values.push_back(f(at));
    return add(std::move(head));
  }
  /// A column that is a name and values, or a name and f.
  template <std::convertible_to<std::string> Name>
  Series& add(Name&& name, std::vector<double> values) {
    return add(figure::Column{.name = std::forward<Name>(name), .values = std::move(values)});
  }
  template <std::convertible_to<std::string> Name>
  Series& add(Name&& name, std::invocable<double> auto&& f) {
    return add(figure::Column{.name = std::forward<Name>(name)}, f);
  }

  const std::vector<double>& x() const { return table_.columns[0].values; }
  std::size_t size() const { return x().size(); }
  /// Throws Failure where there is no such column.
  const std::vector<double>& operator[](std::string_view column) const;
  const figure::Table& table() const { return table_; }

  /// The columns without x, in their order.
  std::span<const figure::Column> columns() const { return std::span(table_.columns).subspan(1); }
  /// Of every column the values at the start.
  Series first(std::size_t count) const;
  /// Of every column the values at these places.
  Series rows(std::span<const std::size_t> places) const;

  // A column as a mark; `look` is all but the data.
  figure::Line line(std::string_view column, figure::Line look = {}) const;
  figure::Points points(std::string_view column, figure::Points look = {}) const;
  figure::Stems stems(std::string_view column, figure::Stems look = {}) const;
  figure::Bars bars(std::string_view column, figure::Bars look = {}) const;
  /// What lies between two of them.
  figure::Band band(std::string_view lo, std::string_view hi, figure::Band look = {}) const;

 private:
  figure::Table table_;
};

/// A matrix of queries × keys, a column for each key.
figure::Table key_table(std::string name, const tensor::Matrix<double>&);

}  // namespace orrery::study
