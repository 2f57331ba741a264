// Five norms of one batch, and which of its numbers each averages together.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "app/study/twin.h"
#include "core/parameter/settings.h"

namespace orrery::study {

/// Samples, positions of each, features of each position; and into how many groups GroupNorm parts the features.
struct BatchShape {
  tensor::Index samples, positions, features, groups;
};

/// How many cells along samples, positions and features.
using Cells = std::array<tensor::Index, 3>;

/// In the order in which they are drawn: from the batch to a single token.
enum class Averaging : std::uint8_t { batch, instance, group, layer, rms };
inline constexpr std::array averagings{Averaging::batch, Averaging::instance, Averaging::group,
                                       Averaging::layer, Averaging::rms};
std::string name_of(Averaging);
/// "samples, positions": the axes that a mean goes over.
std::string axes_of(Averaging);

/// The size of a set of numbers that share one mean; the batch is made of such sets.
Cells set_of(Averaging, const BatchShape&);
/// How many numbers that is, or how many sets there are.
constexpr tensor::Index count_of(const Cells& cells) {
  return cells[0] * cells[1] * cells[2];
}

/// Of a batch whose samples stand one below the other, `shape.positions` rows each. GroupNorm as on channels before
/// positions: a group's numbers are those of all positions of a sample. LayerNorm and RMSNorm as in a Transformer: of each
/// token.
twin::Matrix normed(const Run&, Averaging, const twin::Matrix& x, const BatchShape& shape, double eps);

/// Samples without end, by number: each feature has a mean and a deviation of its own, each sample a shift of all its numbers.
class Samples {
 public:
  explicit Samples(const parameter::Settings&);

  /// So many of them from number `first` on, one below the other; rounded to float, so that all twins see the same.
  twin::Matrix from(tensor::Index first, tensor::Index count) const;
  /// The same, of one feature alone.
  twin::Matrix feature_from(tensor::Index first, tensor::Index count, tensor::Index feature) const;
  /// Of all samples that there may be: the mean of a feature, the variance of a sample's shift, that of what is left.
  double mean(tensor::Index feature) const;
  double variance_of_samples() const { return sample_offset_ * sample_offset_; }
  double variance_within(tensor::Index feature) const;

 private:
  double value(tensor::Index sample, tensor::Index position, tensor::Index feature) const;
  tensor::Index positions_, features_;
  double feature_offset_, feature_scale_, sample_offset_;
  std::uint64_t seed_;
};

}  // namespace orrery::study
