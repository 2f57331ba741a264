#include "app/study/attention/mask_ways.h"

#include <algorithm>
#include <cmath>

namespace orrery::study {
namespace {

using attention::Mask;
using tensor::Index;
using twin::Matrix;

Mask mask_of(MaskWay way, const MaskSizes& sizes) {
  switch (way) {
    case MaskWay::window:
      return {.kind = Mask::Kind::sliding, .window = sizes.window};
    case MaskWay::before:
      return {.kind = Mask::Kind::sliding, .window = sizes.window + 1};
    case MaskWay::chunked:
      return {.kind = Mask::Kind::chunked, .chunk = sizes.chunk};
    case MaskWay::prefix:
      return {.kind = Mask::Kind::prefix, .prefix = sizes.prefix};
    case MaskWay::padding:
      return {.kind = sizes.filling == Filling::encoder ? Mask::Kind::none : Mask::Kind::causal};
    default:
      return {.kind = Mask::Kind::causal};
  }
}

}  // namespace

std::vector<double> MaskSizes::documents() const {
  std::vector<double> ids;
  double document = 0;
  for (const double length : lengths) {
    for (double n = 0; n < length && std::ssize(ids) < tokens; ++n) ids.push_back(document);
    ++document;
  }
  ids.resize(static_cast<std::size_t>(tokens), document);
  return ids;
}

std::vector<std::uint8_t> MaskSizes::seen_by_anyone() const {
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(tokens), 1);
  const auto count = static_cast<std::ptrdiff_t>(std::min(filled, tokens));
  if (filling == Filling::left)
    std::fill_n(seen.begin(), count, std::uint8_t{0});
  else
    std::fill_n(seen.rbegin(), count, std::uint8_t{0});
  return seen;
}

Matrix let_through(const Run& run, MaskWay way, const MaskSizes& sizes) {
  attention::ScoresParams params{.scale = 1, .mask = mask_of(way, sizes)};
  const std::vector<std::uint8_t> padding = sizes.seen_by_anyone();
  if (way == MaskWay::padding) params.padding = padding;
  const std::vector<attention::KeyRange> documents = attention::documents_of(sizes.documents());
  if (way == MaskWay::documents) params.mask.documents = documents;
  const Matrix zeros = Matrix::Zero(sizes.tokens, 2);
  Matrix through = twin::scores(run, zeros, zeros, params);
  if (way != MaskWay::alibi) return through;
  for (Index m = 0; m < through.rows(); ++m)
    for (Index n = 0; n < m; ++n) through(m, n) -= sizes.slope * static_cast<double>(m - n);
  return through;
}

bool sees(MaskWay way, const MaskSizes& sizes, Index m, Index n) {
  switch (way) {
    case MaskWay::window:
      return n <= m && m - n < sizes.window;
    case MaskWay::before:
      return n <= m && m - n <= sizes.window;
    case MaskWay::chunked:
      return n <= m && n / sizes.chunk == m / sizes.chunk;
    case MaskWay::prefix:
      return n <= m || n < sizes.prefix;
    case MaskWay::documents: {
      const std::vector<double> of = sizes.documents();
      return n <= m && of[static_cast<std::size_t>(m)] == of[static_cast<std::size_t>(n)];
    }
    case MaskWay::padding: {
      const bool text = sizes.filling == Filling::left ? n >= sizes.filled : n < sizes.tokens - sizes.filled;
      return text && (n <= m || sizes.filling == Filling::encoder);
    }
    default:
      return n <= m;
  }
}

std::vector<double> reach(const Matrix& through, Index token, Index layers) {
  const Index tokens = through.rows();
  // What is known of whom: row by row, by 0 and 1. A token keeps what it knows: the residual goes past attention.
  Matrix knows = Matrix::Identity(tokens, tokens);
  const Matrix looks = through.unaryExpr([](double s) { return std::isinf(s) ? 0.0 : 1.0; });
  std::vector<double> count{1};
  for (Index layer = 0; layer < layers; ++layer) {
    knows = (knows + looks * knows).cwiseMin(1.0);
    count.push_back(knows.row(token).sum());
  }
  return count;
}

}  // namespace orrery::study
