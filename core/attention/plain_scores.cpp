#include "core/attention/plain_scores.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/attention/plain_pieces.h"
#include "core/attention/plain_scores_kernels.h"
#include "core/simd/aligned_room.h"
#include "core/simd/share.h"

namespace orrery::attention {
namespace {

using simd::AlignedRoom;
using tensor::Index;
using tensor::View;

Rows rows_of(View<const float> x, Index first, Index count) {
  return {x.data + first * x.stride, count, x.cols, x.stride};
}

/// What all queries have as a factor and what does not change a sum's digits: a power of two, far from the ends of double.
double exact_factor(const ScoresParams& params, Index d) {
  int exponent = 0;
  const double scale = scores_scale(params, d);
  const bool is_exact = std::frexp(scale, &exponent) == 0.5 && std::abs(exponent) < 100;
  return is_exact && !params.log_n ? scale : 1;
}

/// Room for the panels of so many keys, none of them written yet.
class PanelRoom {
 public:
  PanelRoom(Index keys, Index d)
      : d_(d),
        numbers_(simd::aligned_room<double>(to_panels(keys) * d)),
        state_(static_cast<std::size_t>(to_panels(keys) / plain_tile().keys_together), Panels::unwritten) {}

  /// Of the keys from `key` on, none of them written.
  void start_at(Index key) {
    first_ = key;
    std::ranges::fill(state_, Panels::unwritten);
  }
  double* numbers(Index key) { return numbers_.get() + (key - first_) * d_; }
  std::uint8_t* state(Index key) { return state_.data() + (key - first_) / plain_tile().keys_together; }

 private:
  Index d_, first_ = 0;
  AlignedRoom<double> numbers_;
  std::vector<std::uint8_t> state_;
};

/// Whether the panels of all keys are kept, and in common where there are several threads: where they take no more room than a
/// thread's own would, or than the scores do.
bool keeps_all_panels(const Pieces& pieces, Index d, View<float> s, bool alone) {
  return s.cols <= pieces.columns_at_a_time() || (!alone && 2 * d <= s.rows);
}

/// What a thread keeps: some queries, and the panels of some keys where no room is common.
class Own {
 public:
  Own(View<const float> q, View<const float> k, const ScoresParams& params, const Pieces& pieces,
      PanelRoom* common)
      : q_(q),
        k_(k),
        params_(params),
        exact_factor_(exact_factor(params, q.cols)),
        queries_(simd::aligned_room<double>(pieces.rows_at_a_time() * q.cols)),
        factors_(static_cast<std::size_t>(pieces.rows_at_a_time()),
                 scores_scale(params, q.cols) / exact_factor_),
        common_(common),
        beside_(simd::aligned_room<double>(plain_tile().keys_together * q.cols)) {
    if (common == nullptr) own_.emplace(pieces.columns_at_a_time(), q.cols);
  }

  void take(const Piece& piece) {
    if (std::exchange(key_, piece.key) != piece.key && own_) own_->start_at(piece.key);
    if (std::exchange(query_, piece.query) == piece.query) return;
    const Index tile = plain_tile().queries;
    for (Index i = 0; i < piece.queries; i += tile)
      write_queries(rows_of(q_, piece.query + i, std::min(tile, piece.queries - i)), exact_factor_,
                    queries_.get() + i * q_.cols);
    for (Index i = 0; i < piece.queries; ++i) {
      const KeyRange seen = params_.mask.range(piece.query + i, q_.rows, k_.rows);
      first_seen_[static_cast<std::size_t>(i)] = seen.first;
      end_seen_[static_cast<std::size_t>(i)] = seen.end;
    }
    for (Index i = 0; i < piece.queries && params_.log_n; ++i)
      factors_[static_cast<std::size_t>(i)] =
          score_factor(params_, piece.query + i, q_.rows, k_.rows, q_.cols);
  }
  PlainOperands operands(const Piece& piece) {
    PanelRoom& room = own_ ? *own_ : *common_;
    return {.q = queries_.get(),
            .first_seen = first_seen_.data(),
            .end_seen = end_seen_.data(),
            .panels = {.keys = rows_of(k_, piece.key, piece.keys),
                       .numbers = room.numbers(piece.key),
                       .state = room.state(piece.key),
                       .beside = beside_.get(),
                       .part = omp_get_thread_num(),
                       .parts = omp_get_num_threads()},
            .factors = factors_.data(),
            .scaled = params_.log_n || factors_.front() != 1,
            .d = q_.cols};
  }

 private:
  View<const float> q_, k_;
  const ScoresParams& params_;
  double exact_factor_;
  AlignedRoom<double> queries_;
  std::array<std::int64_t, most_queries> first_seen_{}, end_seen_{};
  std::vector<double> factors_;
  PanelRoom* common_;
  std::optional<PanelRoom> own_;
  AlignedRoom<double> beside_;
  Index key_ = -1, query_ = -1;  ///< the first of those it keeps
};

}  // namespace

void plain_scores_cpu(View<const float> q, View<const float> k, const ScoresParams& params, View<float> s) {
  const Pieces pieces(q.cols, params.mask, s);
  const Index size = s.size() * q.cols / 2;
  std::optional<PanelRoom> common;
  if (keeps_all_panels(pieces, q.cols, s, simd::stays_alone(size) || omp_get_max_threads() == 1))
    common.emplace(k.rows, q.cols);
  const bool streamed = simd::is_large(s) && simd::starts_on_lines(s);
  const auto queries_of_turn = [&](Index turn) -> simd::Ahead {
    if (turn >= pieces.count()) return {};
    const Piece piece = pieces.of_turn(turn);
    return {q.row(piece.query).data(), q.stride, piece.queries, q.cols};
  };
  simd::share_in_turns({.count = pieces.count(), .size = size, .turn = 1}, [&] {
    return [&, own = Own(q, k, params, pieces, common ? &*common : nullptr)](Index first, Index end,
                                                                             Index next) mutable {
      for (Index turn = first; turn < end; ++turn) {
        const Piece piece = pieces.of_turn(turn);
        const PlainBlock block = pieces.block(piece);
        if (block.first < block.end) own.take(piece);
        plain_scores({.operands = own.operands(piece),
                      .block = block,
                      .unseen = pieces.block(pieces.hidden_beside(piece)),
                      .next = queries_of_turn(turn + 1 < end ? turn + 1 : next),
                      .stride = s.stride,
                      .streamed = streamed});
      }
    };
  });
}

}  // namespace orrery::attention
