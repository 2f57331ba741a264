#include "app/study/rope/turning.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/study/text.h"

namespace orrery::study {

using tensor::Index;
using twin::Matrix;

std::pair<Index, Index> Turning::columns(Index i, Index width) const {
  if (layout == position::RopeLayout::half) return {i, i + width / 2};
  return {2 * i, 2 * i + 1};
}

Matrix Turning::repeated(std::span<const double> two, Index width) const {
  Matrix x(1, width);
  for (Index i = 0; i < width / 2; ++i) {
    const auto [a, b] = columns(i, width);
    x(0, a) = two[0];
    x(0, b) = two[1];
  }
  return twin::rounded(x);
}

Matrix normalised_scores(const Run& run, const Turning& turning, const Matrix& row,
                         std::span<const double> positions, double key_position) {
  const Matrix x = row.replicate(static_cast<Index>(positions.size()), 1);
  const Matrix q = twin::rope(run, x, turning.table(positions), turning.layout);
  const Matrix k = twin::rope(run, row, turning.table(std::array{key_position}), turning.layout);
  const double square = row.squaredNorm();  // a vector of zeros scores 0, not 0/0
  return twin::scores(run, q, k, {.scale = square > 0 ? 1 / square : 1, .mask = {}});
}

namespace {

/// Scores at the same distances, taken at the position and at the start of the text.
Check relative_check(const Run& run, const Turning& turning, const Matrix& row, double position) {
  const double shift = std::floor(position);
  constexpr std::array<double, 7> distances{0, 1, 2, 5, 16, 100, 1000};
  std::array<double, 7> moved = distances;
  for (double& m : moved) m += shift;
  const Matrix near_start = normalised_scores(run, turning, row, distances, 0);
  const Matrix further = normalised_scores(run, turning, row, moved, shift);
  // Two scores differ; their angles are rounded in double, by 2^-36 at the largest position.
  const double a2 = turning.rope.attention_factor * turning.rope.attention_factor;
  const double bound = a2 * (2 * twin::turned_score_slack(run, row.cols()) + 0x1p-35);
  return {"the score depends on $m - n$ only", (further - near_start).cwiseAbs().maxCoeff(), bound};
}

}  // namespace

std::vector<Check> turning_checks(const Run& run, const Turning& turning, const Matrix& before,
                                  const Matrix& after, double position) {
  const double a = turning.rope.attention_factor, length = a * before.norm();
  position::RopeTable start = position::rope_table(std::array{0.0}, turning.rope.inv_freq);
  const Matrix unturned = twin::rope(run, before, start, turning.layout);
  const position::RopeTable table = turning.table(std::array{position});
  // The reference keeps cos and sin in double; rounding them to float costs as much again as the row term.
  twin::Bounds bounds{position::rope_bound, position::rope_gpu_bound};
  bounds.cpu.row *= 2;
  bounds.gpu.row *= 2;
  return {
      {a == 1 ? "the length is kept" : "the length is multiplied by " + rounded_text(a, 5),
       length > 0 ? std::abs(after.norm() - length) / length : 0, 4 * twin::unit_roundoff(run)},
      relative_check(run, turning, before, position),
      {"at position 0 nothing turns", (unturned - before).cwiseAbs().maxCoeff(), 0},
      twin::equals_reference(
          run, bounds, [&](const Run& each) { return twin::rope(each, before, table, turning.layout); }),
  };
}

}  // namespace orrery::study
