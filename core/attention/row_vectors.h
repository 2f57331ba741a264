// Vectors of tokens of which only rows can be had, such as those of a file: one pass over all of them makes the means of any
// stretch, and balls about them, as score_content.h has them in closed form.
//
//   chunk c: 64 tokens           S_c = Σ v_t,   m_c = S_c / 64,   r_c = max |v_t − m_c|
//   mean of first ≤ t < end      (Σ S_c of its whole chunks + Σ v_t of the rows beside them) / (end − first)
//   radius                       max over chunks |m_c − mean| + r_c, and over the rows beside them |v_t − mean|
//
// Vectors are floats; sums are taken in double, in the order of the tokens. What has room for it is kept, 4 d bytes a token;
// else rows are asked for again where they are looked at. 8 d bytes are kept for each chunk. From any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/attention/score_content.h"

namespace orrery::attention {

class RowVectors final : public VectorSource {
 public:
  using Rows = std::function<tensor::Matrix<float>(Index first, Index count)>;
  static constexpr Index chunk = 64, block = 256 * chunk;           ///< tokens; a pass takes so many at once
  static constexpr std::size_t most_kept = std::size_t{128} << 20;  ///< bytes

  /// `pass` is asked for all tokens once, in their order, and may throw; `again` from any thread, where not all are kept: what
  /// it throws is not heard, and its rows are NaN.
  RowVectors(Index tokens, Index width, const Rows& pass, Rows again, std::size_t kept = most_kept);

  Index tokens() const override { return tokens_; }
  Index width() const override { return width_; }
  tensor::Matrix<double> rows(Index first, Index count) const override;
  Ball ball(Index first, Index end) const override;

  double longest() const { return longest_; }         ///< max |v_t|
  double mean_square() const { return square_; }      ///< of the components
  bool all_kept() const { return kept_.size() > 0; }  ///< no row is asked for again

 private:
  tensor::Matrix<float> some(Index first, Index count) const;

  Index tokens_, width_;
  Rows again_;
  tensor::Matrix<float> kept_;
  tensor::Matrix<double> sums_;  ///< of each chunk
  std::vector<double> radii_;    ///< of each chunk about its mean
  double longest_ = 0, square_ = 0;
};

}  // namespace orrery::attention
