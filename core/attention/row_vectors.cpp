#include "core/attention/row_vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

namespace orrery::attention {
namespace {

using Row = Eigen::Matrix<double, 1, Eigen::Dynamic>;

/// What sums of doubles may lose of a distance, so that a ball stays one.
constexpr double wider = 1 + 1e-12;

}  // namespace

RowVectors::RowVectors(Index tokens, Index width, const Rows& pass, Rows again, std::size_t kept)
    : tokens_(tokens), width_(width), again_(std::move(again)) {
  const Index chunks = (tokens + chunk - 1) / chunk;
  sums_.resize(chunks, width);
  radii_.resize(static_cast<std::size_t>(chunks));
  if (static_cast<std::size_t>(tokens) * static_cast<std::size_t>(width) * sizeof(float) <= kept)
    kept_.resize(tokens, width);
  for (Index first = 0; first < tokens; first += block) {
    const tensor::Matrix<float> rows = pass(first, std::min(block, tokens - first));
    if (kept_.size() > 0) kept_.middleRows(first, rows.rows()) = rows;
    for (Index at = 0; at < rows.rows(); at += chunk) {
      const tensor::Matrix<double> part =
          rows.middleRows(at, std::min(chunk, rows.rows() - at)).cast<double>();
      Row own = Row::Zero(width);
      for (Index t = 0; t < part.rows(); ++t) own += part.row(t);
      const Index c = (first + at) / chunk;
      sums_.row(c) = own;
      const Row mean = own / static_cast<double>(part.rows());
      radii_[static_cast<std::size_t>(c)] = wider * (part.rowwise() - mean).rowwise().norm().maxCoeff();
      longest_ = std::max(longest_, part.rowwise().norm().maxCoeff());
      square_ += part.squaredNorm();
    }
  }
  square_ /= static_cast<double>(std::max<Index>(1, tokens * width));
}

tensor::Matrix<float> RowVectors::some(Index first, Index count) const {
  if (kept_.size() > 0) return kept_.middleRows(first, count);
  try {
    return again_(first, count);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {  // whoever looks is no reader of files
    return tensor::Matrix<float>::Constant(count, width_, std::numeric_limits<float>::quiet_NaN());
  }
}

tensor::Matrix<double> RowVectors::rows(Index first, Index count) const {
  return some(first, count).cast<double>();
}

Ball RowVectors::ball(Index first, Index end) const {
  // Chunks that lie within, from c to d, and the rows before and behind them.
  const Index c = (first + chunk - 1) / chunk, d = std::max(c, end / chunk);
  const bool any = c < d;
  const Index low = any ? c * chunk : end, high = any ? d * chunk : end;
  const tensor::Matrix<double> before = rows(first, std::min(low, end) - first),
                               behind = rows(high, end - high);
  Row sum = before.colwise().sum() + behind.colwise().sum();
  for (Index i = c; i < d; ++i) sum += sums_.row(i);
  const Row mean = sum / static_cast<double>(end - first);
  double radius = 0;
  for (const tensor::Matrix<double>* each : {&before, &behind})
    if (each->rows() > 0) radius = std::max(radius, (each->rowwise() - mean).rowwise().norm().maxCoeff());
  for (Index i = c; i < d; ++i) {
    const double apart = (sums_.row(i) / static_cast<double>(chunk) - mean).norm();
    radius = std::max(radius, apart + radii_[static_cast<std::size_t>(i)]);
  }
  return {{mean.data(), mean.data() + mean.size()}, end - first == 1 ? 0 : wider * radius};
}

}  // namespace orrery::attention
