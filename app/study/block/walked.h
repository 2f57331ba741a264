// A model that has gone forward over its words, with every matrix on the way by its name.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/study/block/walk_asked.h"
#include "app/study/twin.h"

namespace orrery::study::block_walk {

using twin::Matrix;

/// A sublayer of a block, by what its arrays are called.
enum class Sub { attention, cross, network };
std::string path_of(Sub);  ///< "self_attention", "cross_attention", "feed_forward"

/// Which attention or network: of a stack, "encoder" or "decoder", and of a layer from 0 on.
struct Spot {
  std::string stack;
  Index layer = 0;
  Sub sub = Sub::attention;

  std::string path() const { return stack + ".layers." + std::to_string(layer) + "." + path_of(sub); }
};

/// In double, whatever the run's device.
class Walked {
 public:
  explicit Walked(const Model&);

  const Model& model() const { return *model_; }
  const transformer::Config& config() const { return model_->config; }

  /// An intermediate matrix, by its name on the tape, where has() says that it is there.
  const Matrix& tape(const std::string& name) const;
  bool has(const std::string& name) const { return tape_.contains(name); }
  const std::map<std::string, Matrix>& all() const { return tape_; }
  std::span<const transformer::NamedSlot> arrays() const { return net_.layout().arrays(); }

  /// A learned array: of a linear map inputs × outputs, as formulas have it; of a vector one row. Empty: the model has none.
  Matrix weight(const std::string& name) const;
  Matrix transposed_weight(const std::string& name) const;

  std::string stack() const { return model_->decodes() ? "decoder" : "encoder"; }  ///< the last
  bool has_stack(const std::string& name) const { return name == stack() || model_->has_both(); }
  Index layers(const std::string& stack) const;
  double alpha(const std::string& stack) const;  ///< of the residual
  /// Of a stack: what its rows are, and the same of the keys of a spot.
  const std::vector<std::string>& words(const std::string& stack) const;
  const std::vector<std::string>& key_words(const Spot&) const;

  /// Into a block; into a sublayer, before its norm; what the sublayer itself reads; keys and values.
  const Matrix& stream(const std::string& stack, Index layer) const;
  const Matrix& stream(const Spot&) const;
  const Matrix& read(const Spot&) const;
  const Matrix& keys_read(const Spot&) const;
  /// What stands before the logits.
  const Matrix& result(const std::string& stack) const;

  /// What the scores of a spot may see, and how they are made.
  attention::ScoresParams seen(const Spot&) const;
  /// Queries and keys as the scores have them: normed and turned where the model does.
  const Matrix& queries(const Spot&) const;
  const Matrix& keys(const Spot&) const;
  bool biased(const Spot&) const;                          ///< its scores have a bias for their positions
  Matrix scores(const Spot&, Index head) const;            ///< before the mask
  Matrix masked(const Spot&, const Matrix& scores) const;  ///< −∞ where a key may not be seen
  Matrix weights(const Spot&, Index head) const;
  Index key_head(Index head) const;
  bool parallel() const;  ///< attention and network read the same stream

  /// The word that is chosen: the most probable one behind the last word.
  Index next() const;
  const Matrix& probabilities() const { return tape("probabilities"); }

 private:
  const Model* model_;
  transformer::Transformer<double> net_;
  std::map<std::string, Matrix> tape_;
};

}  // namespace orrery::study::block_walk
