#include <algorithm>

#include "core/embedding/embedding.h"
#include "core/tensor/reduce.h"

namespace orrery::embedding {

using tensor::Index;

namespace {

/// Rows of a long table come in an order that no processor foresees: the lines of one that is wanted soon are asked for.
template <class T>
void fetch_row(std::span<const T> row) {
  constexpr std::size_t line = 64 / sizeof(T);
  for (std::size_t j = 0; j < row.size(); j += line) __builtin_prefetch(&row[j]);
}

}  // namespace

template <class T>
void embedding_cpu(std::span<const Index> ids, tensor::View<const T> table, Scale scale, tensor::View<T> y) {
  const double s = scale_factor(scale, table.cols);
#pragma omp parallel for schedule(static) if (y.size() > tensor::small_work)
  for (Index n = 0; n < y.rows; ++n) {
    constexpr Index ahead = 4;
    if (n + ahead < y.rows) fetch_row(table.row(ids[static_cast<std::size_t>(n + ahead)]));
    const T* from = table.row(ids[static_cast<std::size_t>(n)]).data();
    T* to = y.row(n).data();
    if (s == 1) {
      std::copy_n(from, y.cols, to);
      continue;
    }
    for (Index j = 0; j < y.cols; ++j) to[j] = static_cast<T>(s * static_cast<double>(from[j]));
  }
}

template void embedding_cpu(std::span<const Index>, tensor::View<const float>, Scale, tensor::View<float>);
template void embedding_cpu(std::span<const Index>, tensor::View<const double>, Scale, tensor::View<double>);

}  // namespace orrery::embedding
