#include "app/study/tables.h"

#include <utility>

namespace orrery::study {

using tensor::Index;

void add_row(figure::Table& table, std::span<const double> row) {
  for (std::size_t c = 0; c < row.size(); ++c) table.columns[c].values.push_back(row[c]);
}

figure::Table key_table(std::string name, const tensor::Matrix<double>& matrix) {
  figure::Table table{std::move(name), {}};
  for (Index n = 0; n < matrix.cols(); ++n) {
    figure::Column column{.name = "key " + std::to_string(n)};
    for (Index m = 0; m < matrix.rows(); ++m) column.values.push_back(matrix(m, n));
    table.columns.push_back(std::move(column));
  }
  return table;
}

}  // namespace orrery::study
