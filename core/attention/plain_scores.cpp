#include "core/attention/plain_scores.h"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/attention/key_panels.h"

namespace orrery::attention {
namespace {

using tensor::Index;
using tensor::View;

/// Queries at a time: a few tiles, which a pair of panels of keys serves, once it is in the first cache; one, where there are
/// hardly enough for all threads.
Index queries_at_a_time(Index queries) {
  const Index tile = dots_tile().queries;
  return tile * std::clamp(queries / (tile * 4 * omp_get_max_threads()), Index{1}, Index{4});
}

/// What a thread keeps of a block of queries.
struct Queries {
  Queries(Index most, Index d)
      : q(static_cast<std::size_t>(most * d)),
        factors(static_cast<std::size_t>(most)),
        first(factors.size()),
        end(factors.size()) {}
  std::vector<double> q, factors;
  std::vector<std::int64_t> first, end;
};

}  // namespace

void plain_scores_cpu(View<const float> q, View<const float> k, const ScoresParams& params, View<float> s) {
  const Index d = q.cols, block = queries_at_a_time(q.rows), blocks = simd::parts(q.rows, block);
  const auto panels = key_panels(k);
  const bool streamed = simd::is_large(s) && simd::starts_on_lines(s);
  simd::share_in_turns({.count = blocks, .size = s.size() * d / 2, .turn = 1}, [&] {
    return [&, own = Queries(block, d)](Index first, Index end) mutable {
      for (Index number = first; number < end; ++number) {
        // From the end: under a causal mask the last queries see most, and what is left at the end should be small.
        const Index start = (blocks - 1 - number) * block, rows = std::min(block, q.rows - start);
        for (Index i = 0; i < rows; ++i) {
          const auto at = static_cast<std::size_t>(i);
          std::copy(q.row(start + i).begin(), q.row(start + i).end(), own.q.begin() + i * d);
          own.factors[at] = score_factor(params, start + i, q.rows, k.rows, d);
          const KeyRange seen = params.mask.range(start + i, q.rows, k.rows);
          own.first[at] = seen.first;
          own.end[at] = seen.end;
        }
        plain_scores({.q = own.q.data(),
                      .queries = rows,
                      .d = d,
                      .panels = panels.get(),
                      .keys = k.rows,
                      .factors = own.factors.data(),
                      .first = own.first.data(),
                      .end = own.end.data(),
                      .s = s.row(start).data(),
                      .s_stride = s.stride,
                      .streamed = streamed});
      }
    };
  });
}

}  // namespace orrery::attention
