#include "app/study/attention/tile_row.h"

#include <algorithm>
#include <string>

#include "app/study/kit/numbers.h"
#include "core/tensor/error.h"

namespace orrery::study::attention_online {

using attention::OnlineSoftmax;
using tensor::Index;
using twin::Matrix;

namespace {

constexpr std::size_t most_keys = 64;

}  // namespace

OnlineSoftmax of_keys(const Row& row, Index first, Index count) {
  return attention::online_softmax({row.scores.data() + first, static_cast<std::size_t>(count)},
                                   tensor::View<const double>(row.values.data() + first, count, 1));
}

Row row_in(const parameter::Settings& settings) {
  const Matrix keys = matrix_of(settings, "keys");
  const auto count = static_cast<std::size_t>(keys.rows());
  if (count == 0 || count > most_keys)
    throw InvalidArgument(about(Subject::Kind::parameter, "keys")
                              .found(std::to_string(count))
                              .fault("it has {} rows", std::to_string(count))
                              .allowed("{} to {}", 1, most_keys));
  Row row{.scores = keys.col(0).transpose(), .values = keys.col(1), .steps = {}, .shown = 0};
  if (settings.choice("order") == "backwards") {
    row.scores = row.scores.rowwise().reverse().eval();
    row.values = row.values.colwise().reverse().eval();
  }
  const Index tile = settings.integer("tile");
  OnlineSoftmax kept;
  for (Index first = 0; first < row.scores.cols(); first += tile) {
    const Index size = std::min(tile, row.scores.cols() - first);
    const OnlineSoftmax after = attention::merged(kept, of_keys(row, first, size));
    Step step{.scores = {}, .values = {}, .before = kept, .after = after};
    for (Index n = first; n < first + size; ++n) {
      step.scores.push_back(row.scores(0, n));
      step.values.push_back(row.values(n, 0));
    }
    row.steps.push_back(std::move(step));
    kept = after;
  }
  row.shown = std::min(static_cast<std::size_t>(settings.integer("step")), row.steps.size()) - 1;
  return row;
}

}  // namespace orrery::study::attention_online
