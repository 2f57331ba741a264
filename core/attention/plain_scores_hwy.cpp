#include <limits>

#include "core/attention/scores_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/plain_scores_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/multiply.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::attention::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

using Index = std::int64_t;

constexpr float hidden = -std::numeric_limits<float>::infinity();
constexpr Index panels_at_a_time = 2;  // of doubles, which make whole vectors of floats

HWY_INLINE Index doubles() {
  return static_cast<Index>(hn::Lanes(Doubles()));
}
/// Keys of the panels at a time.
HWY_INLINE Index keys_at_a_time() {
  return panels_at_a_time * panel_vectors * doubles();
}

/// The keys that any of some queries sees, and maybe others between them.
struct Seen {
  Index first, end;
};
HWY_INLINE Seen seen_by(const PlainScores& b, Index query, Index end) {
  Seen seen{b.keys, 0};
  for (; query < end; ++query) {
    seen.first = HWY_MIN(seen.first, b.first[query]);
    seen.end = HWY_MAX(seen.end, b.end[query]);
  }
  return seen;
}

/// Products of a tile of queries with the keys of a pair of panels, on their way to be scores.
struct Products {
  static constexpr Index most =
      panels_at_a_time * panel_vectors * HWY_MAX(1, HWY_MAX_BYTES / Index{sizeof(double)});
  alignas(64) double of[tile_rows][most];
};

/// Of the queries from `query` on, at most tile_rows of them, and the keys from `key` on. Zeros for a panel from `end` on, which
/// none of them sees.
HWY_INLINE void multiply_pair(const PlainScores& b, Index query, Index key, Index end, Products& products) {
  const Index L = doubles(), width = panel_vectors * L;
  const double* rows[tile_rows];
  for (int r = 0; r < tile_rows; ++r) rows[r] = b.q + HWY_MIN(query + r, b.queries - 1) * b.d;
  for (Index panel = 0; panel < panels_at_a_time; ++panel) {
    WideVector sum[tile_rows][panel_vectors];
    clear(sum);
    if (key + panel * width < end) multiply(rows, b.panels + (key + panel * width) * b.d, width, b.d, sum);
#pragma GCC unroll 8
    for (int r = 0; r < tile_rows; ++r)
#pragma GCC unroll 4
      for (int c = 0; c < panel_vectors; ++c)
        hn::Store(sum[r][c], Doubles(), products.of[r] + panel * width + c * L);
  }
}

/// As many doubles as a vector has floats, times a factor, rounded to float.
HWY_INLINE Vector narrowed(const double* p, WideVector factor) {
#if HWY_TARGET == HWY_SCALAR
  return hn::DemoteTo(Floats(), hn::Mul(hn::LoadU(Doubles(), p), factor));
#else
  const hn::Half<Floats> half;
  const auto lower = hn::DemoteTo(half, hn::Mul(hn::LoadU(Doubles(), p), factor)),
             upper = hn::DemoteTo(half, hn::Mul(hn::LoadU(Doubles(), p + doubles()), factor));
  return hn::Combine(Floats(), upper, lower);
#endif
}

template <bool streamed>
HWY_INLINE void hide(float* s, Index count) {
  fill<streamed>(s, static_cast<std::size_t>(count), [](auto, std::size_t) HWY_ATTR { return all(hidden); });
}

/// One query's scores of the keys from `key` on, −∞ for those that it does not see.
template <bool streamed>
HWY_INLINE void store_row(const PlainScores& b, Index query, Index key, Index count, const double* products) {
  const Index from = b.first[query] - key, to = b.end[query] - key, lanes = simd::HWY_NAMESPACE::lanes();
  float* const s = b.s + query * b.s_stride + key;
  const WideVector factor = hn::Set(Doubles(), b.factors[query]);
  if (from <= 0 && to >= count)
    return fill<streamed>(s, static_cast<std::size_t>(count),
                          [=](auto, std::size_t j) HWY_ATTR { return narrowed(products + j, factor); });
  alignas(64) float row[Products::most];
  for (Index j = 0; j < keys_at_a_time(); j += lanes)
    hn::Store(narrowed(products + j, factor), Floats(), row + j);
  for (Index j = 0; j < HWY_MIN(from, count); ++j) row[j] = hidden;
  for (Index j = HWY_MAX(to, Index{0}); j < count; ++j) row[j] = hidden;
  fill<streamed>(s, static_cast<std::size_t>(count),
                 [&row](auto, std::size_t j) HWY_ATTR { return hn::LoadU(Floats(), row + j); });
}

/// Hides the keys from one on of all queries, a part in each of so many turns: memory takes them while the processor multiplies.
template <bool streamed>
class Rest {
 public:
  HWY_INLINE Rest(const PlainScores& b, Index first, Index turns)
      : b_(b), first_(first), at_(first), each_turn_(lines_of_turn(b, first, turns) * line) {}
  HWY_INLINE void go_on() {
    for (Index left = each_turn_; left > 0 && query_ < b_.queries && first_ < b_.keys;) {
      const Index count = HWY_MIN(left, b_.keys - at_);
      hide<streamed>(b_.s + query_ * b_.s_stride + at_, count);
      left -= count;
      at_ += count;
      if (at_ < b_.keys) continue;
      at_ = first_;
      ++query_;
    }
  }

 private:
  static constexpr Index line = 16;  // floats
  static HWY_INLINE Index lines_of_turn(const PlainScores& b, Index first, Index turns) {
    const Index lines = (b.keys - first + line - 1) / line * b.queries;
    return (lines + turns - 1) / turns;
  }
  const PlainScores& b_;
  Index first_, at_, query_ = 0, each_turn_;
};

template <bool streamed>
void plain_block(const PlainScores& b) {
  const Index together = keys_at_a_time();
  const Seen all_seen = seen_by(b, 0, b.queries);
  const Index from = HWY_MIN(all_seen.first / together * together, b.keys),
              pairs = (HWY_MAX(all_seen.end - from, Index{0}) + together - 1) / together,
              tiles = (b.queries + tile_rows - 1) / tile_rows;
  Rest<streamed> rest(b, HWY_MIN(from + pairs * together, b.keys), HWY_MAX(pairs * tiles, Index{1}));
  if (pairs == 0) rest.go_on();
  for (Index i = 0; i < b.queries; ++i) hide<streamed>(b.s + i * b.s_stride, from);
  for (Index key = from; key < from + pairs * together; key += together) {
    const Index count = HWY_MIN(together, b.keys - key);
    for (Index query = 0; query < b.queries; query += tile_rows) {
      rest.go_on();
      const Index end = HWY_MIN(query + tile_rows, b.queries);
      const Seen seen = seen_by(b, query, end);
      if (seen.first >= key + count || seen.end <= key) {
        for (Index i = query; i < end; ++i) hide<streamed>(b.s + i * b.s_stride + key, count);
        continue;
      }
      Products products;
      multiply_pair(b, query, key, seen.end, products);
      for (Index i = query; i < end; ++i) store_row<streamed>(b, i, key, count, products.of[i - query]);
    }
  }
}

void plain_scores_of_block(const PlainScores& block) {
  if (block.streamed) return plain_block<true>(block);
  plain_block<false>(block);
}

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::attention {

HWY_EXPORT(plain_scores_of_block);

void plain_scores(const PlainScores& block) {
  HWY_DYNAMIC_DISPATCH(plain_scores_of_block)(block);
}

}  // namespace orrery::attention
#endif
