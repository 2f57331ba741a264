// Tables are made row by row and kept by columns.
#pragma once

#include <span>
#include <string>

#include "app/figure/table.h"
#include "core/tensor/view.h"

namespace orrery::study {

/// As many values as the table has columns.
void add_row(figure::Table&, std::span<const double> row);

/// A matrix of queries × keys, a column for each key.
figure::Table key_table(std::string name, const tensor::Matrix<double>&);

}  // namespace orrery::study
