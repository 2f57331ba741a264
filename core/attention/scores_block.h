// Scores of a few queries at a time, in double: what the cpu twins of scores and of attention share.
#pragma once

#include <vector>

#include "core/attention/scores.h"
#include "core/simd/aligned_room.h"

namespace orrery::attention {

/// T is float or double. May be asked by several threads at once.
template <class T>
class ScoresByBlock {
 public:
  ScoresByBlock(tensor::View<const T> q, tensor::View<const T> k, const ScoresParams& params,
                tensor::View<const T> bias);

  /// Queries that are multiplied at once.
  tensor::Index queries() const { return queries_; }

  /// What a thread needs beside the result.
  struct Room {
    std::vector<double> queries, dots;
  };
  Room room() const;

  /// s(i, n) of the queries first + i, up to queries() of them: as many as s has rows. Out is T or double.
  template <class Out>
  void operator()(tensor::Index first, tensor::View<Out> s, Room&) const;

 private:
  template <class Out>
  void finish(tensor::Index t, double* dots, std::span<Out> s) const;

  tensor::View<const T> q_;
  const ScoresParams& params_;
  tensor::View<const T> bias_;
  tensor::Index keys_, queries_, panel_;
  simd::AlignedRoom<double> panels_;
};

}  // namespace orrery::attention
