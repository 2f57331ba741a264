// What queries and keys of a text of any length are made of, so that whole stretches of them have their sums in closed form.
//
//   q_m = T_m a_m + ν e_m,   k_n = T_n a_n + ν f_n        (m, n: tokens; vectors of width d)
//
//   a_m   what tokens share: nothing; one vector for all; or one of six topics, in stretches of about a forty-eighth of the
//         text. Components ±σ.
//   T_m   RoPE: turns the pair i = (2i, 2i + 1) by m θ_i, θ_i = base^{−2i/d}; or nothing.
//   e, f  what tokens have alone: independent signs (token_signs.h). They are as likely before a turn as after it up to their
//         corners, and stand after it.
//
// An outlier takes the place of one query and one key: q_a = √(|h|/(s d)) u, k_b = ±q_a with a sign vector u, so that their
// score with the scale s is h.
// Σ_{m=x}^{y−1} e^{i m θ} = e^{i (x+y−1) θ/2} sin((y−x) θ/2)/sin(θ/2): what is turned has closed sums, too.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/attention/token_signs.h"

namespace orrery::attention {

struct Outlier {
  Index query = 0, key = 0;
  double height = 0;  ///< the score of the two
};

struct ScoreContent {
  enum class Shared { nothing, alike, topics } shared = Shared::nothing;
  Index tokens = 0, width = 0;   ///< width: even, 2 … 128
  double strength = 0;           ///< σ
  double noise = 1;              ///< ν
  std::optional<double> base{};  ///< of RoPE
  double scale = 1;              ///< s
  std::uint64_t seed = 0;
  std::optional<Outlier> outlier{};
};

/// The middle of a stretch of vectors, and how far from it any of them can be.
struct Ball {
  std::vector<double> mean;
  double radius = 0;  ///< |v − mean| ≤ radius for each of them, proven; 0 for one vector
};

/// Vectors that no formula makes: those of a file (row_vectors.h). From any thread; nothing throws.
class VectorSource {
 public:
  virtual ~VectorSource() = default;
  virtual Index tokens() const = 0;
  virtual Index width() const = 0;
  virtual tensor::Matrix<double> rows(Index first, Index count) const = 0;
  virtual Ball ball(Index first, Index end) const = 0;
};

/// All vectors of one side.
class TokenVectors {
 public:
  enum class Side { query, key };
  TokenVectors(const ScoreContent&, Side);
  explicit TokenVectors(std::shared_ptr<const VectorSource>);

  Index tokens() const { return content_.tokens; }
  Index width() const { return content_.width; }

  /// The vector of one token, as the formula says it.
  std::vector<double> vector(Index t) const;
  /// `count` of them from the first on. T_t is turned on from token to token, and set anew every 64 of them.
  tensor::Matrix<double> rows(Index first, Index count) const;
  /// Of first ≤ t < end, at least one; in closed form but for the signs, which are counted.
  Ball ball(Index first, Index end) const;

 private:
  struct Stretch {
    Index first, end;
    std::size_t topic;
  };
  const std::vector<double>& shared_at(Index t) const;
  std::vector<Stretch> stretches_in(Index first, Index end) const;
  std::vector<double> usual(Index t) const;  ///< what an outlier takes the place of
  bool is_outlier(Index t) const { return outlier_ == t; }
  /// Mean and radius of the turned shared part, outlier or not.
  Ball shared_ball(Index first, Index end) const;
  Ball turned_ball(const std::vector<double>& a, Index first, Index end) const;

  std::shared_ptr<const VectorSource> source_;  ///< nullptr: the formula
  ScoreContent content_;                        ///< of a source its tokens and width alone
  std::shared_ptr<const TokenSigns> signs_;
  std::vector<double> theta_;                ///< of each pair; empty: nothing is turned
  std::vector<std::vector<double>> topics_;  ///< empty: nothing is shared
  std::vector<Stretch> stretches_;
  Index outlier_ = -1;
  std::vector<double> outlier_vector_;
};

}  // namespace orrery::attention
