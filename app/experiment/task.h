// One face for the tasks of core/training: batches to train on, batches to be asked, and the least loss that can be had.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/experiment/settings.h"
#include "core/training/text.h"

namespace orrery::experiment {

using tensor::Index;

class Task {
 public:
  virtual ~Task() = default;
  virtual Index vocabulary() const = 0;
  /// What a model reads of a sequence that is called n long: a copied word of n tokens is read with what stands around it.
  virtual Index read(Index n) const { return n; }
  /// The longest that is trained, as lengths are counted.
  virtual Index trained() const = 0;
  /// Of a batch; 0 where that follows from their lengths.
  virtual Index sequences() const { return 0; }
  virtual transformer::Batch training(std::uint64_t seed, std::uint64_t step) const = 0;
  /// The test sequences from `first` on of `all`: the same whatever model is asked, and however they are cut into batches.
  virtual transformer::Batch asked(Index n, Index first, Index count, Index all,
                                   std::uint64_t seed) const = 0;
  /// −ln p of each target by the best that can be known; nothing where that is not known.
  virtual std::optional<std::vector<double>> floor(const transformer::Batch&) const { return std::nullopt; }
  /// That can be asked, as lengths are counted; nothing where there is no end.
  virtual std::optional<Index> longest() const { return std::nullopt; }
  /// Throws InvalidArgument where there is nothing of this length: for more than the longest.
  virtual void check(Index) const {}
  /// Of a task that is made of a text.
  virtual const training::Text* text() const { return nullptr; }
  /// Sequences of the part that was trained on; of a text.
  virtual transformer::Batch known(Index, Index) const { return {}; }
};

/// Reads the text, where it is made of one. Throws Failure, or InvalidArgument for settings that do not fit each other.
std::unique_ptr<Task> task_of(const Settings&);

}  // namespace orrery::experiment
