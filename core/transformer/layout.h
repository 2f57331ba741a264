// Where every learned array of a model stands in one flat buffer, under the name that a checkpoint has for it.
//
// A parameter vector, its gradient, an optimiser's moments: each is one span of size() numbers in this order, so that an
// optimiser, a checkpoint and a check of the gradient are loops over one array.
//
// Names      as paths, in the order of computation: decoder.layers.0.self_attention.q.weight. They do not change once
//            files have them.
// Shapes     of a linear map: outputs × inputs, as PyTorch and published checkpoints keep it; of gains and biases: one axis.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::transformer {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// All numbers of a model, and all of its gradient.
template <class T>
using Values = std::span<const T>;
template <class T>
using Gradient = std::span<T>;

/// One array of the buffer; a vector has one row. Without elements: the model has no such array.
struct Slot {
  Index offset = 0, rows = 0, cols = 0;

  Index size() const { return rows * cols; }
  bool exists() const { return size() > 0; }
  template <class T>
  std::span<T> numbers(std::span<T> all) const {
    return all.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size()));
  }
  template <class T>
  View<T> matrix(std::span<T> all) const {
    return {numbers(all).data(), rows, cols};
  }
};

/// What an array is for: how it is initialised follows from that. Weight decay is for all of them alike.
enum class Role {
  embedding,  ///< rows that are looked up: tokens, learned positions, T5's buckets
  query,      ///< queries and keys
  value,
  mix,       ///< attention's output, which goes into the stream
  expand,    ///< the feed-forward network's first layer, its gate too
  contract,  ///< its last one, which goes into the stream
  head,      ///< logits, where the embedding is not used for them
  gain,
  bias,     ///< of linear maps and norms
  distance  ///< the network that makes a bias of the scores out of a distance (FIRE)
};

struct NamedSlot {
  std::string name;
  std::vector<Index> shape;
  Slot slot;
  Role role;
};

class Layout {
 public:
  Slot matrix(std::string name, Index rows, Index cols, Role role);
  Slot vector(std::string name, Index size, Role role);

  std::span<const NamedSlot> arrays() const { return arrays_; }
  Index size() const { return size_; }  ///< how many numbers a model has
  /// Null where there is no such array.
  const NamedSlot* find(std::string_view name) const;

 private:
  Slot add(std::string name, std::vector<Index> shape, Slot slot, Role role);

  std::vector<NamedSlot> arrays_;
  Index size_ = 0;
};

}  // namespace orrery::transformer
