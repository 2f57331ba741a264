// What the ops of attention share: settings into parameters, and inputs into the heads that they are read by.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/attention/attention.h"
#include "core/op/operands.h"
#include "core/parameter/settings.h"

namespace orrery::op {

attention::Mask mask_of(const parameter::Settings&);
attention::ScoresParams scores_params(const parameter::Settings&);
attention::SoftmaxStages softmax_stages(const parameter::Settings&);

/// Leading axes of q (batch, heads) are groups, each with a matrix of its own: T × d of q, S × d of k.
struct Heads {
  tensor::Index count = 1, queries = 0, keys = 0, width = 0;
  std::vector<tensor::Index> leading = {};  ///< the axes of the groups; `count` is their product
  /// How many neighbours share one matrix of keys: 1 unless queries are grouped.
  tensor::Index sharing = 1;

  /// `leading` with the two last axes of a result.
  std::vector<tensor::Index> with(tensor::Index rows, tensor::Index cols) const;
};

/// Checks k against q. With `grouped`, the last leading axis of k (its heads) may be a divisor of q's.
Heads heads_of(const tensor::Array& q, const tensor::Array& k, bool grouped);

/// The sinks of a call, of the heads that are the last of the leading axes: as the array `sinks` or as the setting `sink`.
class Sinks {
 public:
  Sinks(const Call& call, const std::vector<tensor::Index>& leading);
  std::size_t count() const { return values_.size(); }
  std::optional<double> of(tensor::Index group) const;

  /// Adds to the derivative of the one that the group has.
  void add(std::vector<double>& by_sink, tensor::Index group, double part) const;
  /// The derivative by each, beside the others: by the name under which they were given. Nothing where there is none.
  void keep(Gradients&, const std::vector<double>& by_sink, tensor::Format) const;

 private:
  std::size_t index(tensor::Index group) const { return static_cast<std::size_t>(group) % values_.size(); }
  std::string_view name_ = "sink";
  std::vector<double> values_;
};

/// How many scores the mask lets through, over all heads.
double seen(const attention::Mask&, const Heads&);

/// Throws InvalidArgument where a score for every query and key is more than a memory holds.
void require_few_scores(const Heads&);

/// Matrix number i of those stacked in m, `rows` rows each.
template <class T>
tensor::View<const T> stacked(const tensor::Matrix<T>& m, tensor::Index i, tensor::Index rows) {
  return {m.data() + i * rows * m.cols(), rows, m.cols()};
}
template <class T>
tensor::View<T> stacked(tensor::Matrix<T>& m, tensor::Index i, tensor::Index rows) {
  return {m.data() + i * rows * m.cols(), rows, m.cols()};
}

/// The bias, T × S or with leading axes as the last of the heads': every group sees one of its matrices.
template <class T>
class Bias {
 public:
  Bias(const Call& call, const Heads& heads);
  /// Empty where none was given.
  tensor::View<const T> of(tensor::Index group) const {
    if (values_.size() == 0) return {};
    return stacked(values_, group % (values_.rows() / queries_), queries_);
  }

 private:
  tensor::Matrix<T> values_;
  tensor::Index queries_;
};
extern template class Bias<float>;
extern template class Bias<double>;

/// Keys that are padding: as S ones and zeros, as the number of keys before it, or both. Either may have leading axes, as
/// the first of the heads' (batch). A key is seen where both let it.
class Padding {
 public:
  Padding(const Call& call, const Heads& heads);
  std::span<const std::uint8_t> of(tensor::Index group) const;

 private:
  std::vector<std::uint8_t> flags_;
  tensor::Index keys_;
};

/// Keys that belong to several documents: a number for each key, as S of them or with leading axes as the first of the
/// heads' (batch).
class Documents {
 public:
  Documents(const Call& call, const Heads& heads);
  bool given() const { return !ranges_.empty(); }
  /// Empty where none were given. It lives as long as this.
  std::span<const attention::KeyRange> of(tensor::Index group) const;

 private:
  std::vector<std::vector<attention::KeyRange>> ranges_;  ///< of each row of numbers
  tensor::Index groups_each_ = 1;
};

/// The gradient of the bias: what the groups that share a matrix of it send back, added up in double.
class GradientOfBias {
 public:
  GradientOfBias(const Call& call, const Heads& heads);
  template <class T>
  void add(tensor::Index group, const tensor::Matrix<T>& from) {
    if (sum_.size() == 0) return;
    stacked(sum_, group % (sum_.rows() / queries_), queries_).eigen() += from.template cast<double>();
  }
  /// Puts it beside the others, where a bias was given.
  void keep(Gradients& result, tensor::Format format) const;

 private:
  const tensor::Array* bias_;
  tensor::Matrix<double> sum_;
  tensor::Index queries_;
};

}  // namespace orrery::op
