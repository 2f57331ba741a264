// A whole Transformer: tokens in, the logits of the next token (or of the masked one) out, the loss, and its gradient.
//
//   Config ──► Transformer<T> ──► layout(): every learned array by its name, in one flat buffer        layout.h
//   forward(values, batch, tape)             the tape keeps every intermediate matrix, by its name
//   loss(batch, tape)                        mean cross-entropy                                      cross_entropy.h
//   backward(values, batch, tape, gradient)  adds to a gradient that is laid out as the values are
//
// A decoder or an encoder is one stack of blocks; an encoder–decoder two, and the decoder's blocks attend to the encoder's
// result as well. One table embeds the tokens of both.
//
//   stack.h  ►  block.h  ►  residual.h (where the norms stand), attention.h, feed_forward.h  ►  linear.h, norm.h
//
// Formats    T = float: the fast twins of the ops and blocked products. T = double: the reference, by the same code. A model has
//            the same layout in both.
// Threads    of OpenMP, over rows, sequences and heads; every sum has one order, so that their number changes no bit.
// Memory     a tape and a scratch grow to what the largest batch needs, and then stay.
#pragma once

#include <cstdint>
#include <vector>

#include "core/transformer/config.h"
#include "core/transformer/cross_entropy.h"

namespace orrery::transformer {

/// B sequences of T tokens, row by row. Whoever makes it keeps nothing alive: it owns its numbers.
struct Batch {
  Index sequences = 0, length = 0;
  std::vector<Index> tokens = {}, targets = {};  ///< B·T each; a target may be no_target
  std::vector<std::uint8_t> padding = {};        ///< B·T flags, 0: no token; empty: none is
  Index source_length = 0;
  std::vector<Index> source = {};  ///< of an encoder–decoder, what the encoder reads: B · source_length
  std::vector<std::uint8_t> source_padding = {};
};

/// Belongs to one model.
template <class T>
struct Tape {
  StackTape<T> encoder, decoder;  ///< of the family's stacks
  Matrix<T> logits;               ///< (B T) × V
  Matrix<T> probabilities;        ///< their softmax
  Loss loss;

  /// f(name, matrix) for every intermediate that there is, in the order of computation.
  template <class Each>
  void each(Each f) const {
    const auto some = [&](const std::string& name, const Matrix<T>& m) {
      if (m.size() > 0) f(name, m);
    };
    encoder.each("encoder", some);
    decoder.each("decoder", some);
    some("logits", logits);
    some("probabilities", probabilities);
  }

  // What goes back through the model; here so that the next step finds its memory.
  StackScratch<T> scratch = {};
  Matrix<T> dlogits = {}, dresult = {}, dmemory = {};
};

template <class T>
class Transformer {
 public:
  /// Throws InvalidArgument for a model that cannot be.
  explicit Transformer(const Config&);

  const Config& config() const { return config_; }  ///< resolved
  const Layout& layout() const { return layout_; }

  /// Throws InvalidArgument for a batch that is none of this model's.
  void check(const Batch&) const;

  /// Checks the batch.
  void forward(Values<T>, const Batch&, Tape<T>&) const;
  /// Of tape.logits; also in tape.loss.
  double loss(const Batch&, Tape<T>&) const;
  /// After forward and loss; added to the gradient.
  void backward(Values<T>, const Batch&, Tape<T>&, Gradient<T>) const;

 private:
  Slot head() const { return head_.exists() ? head_ : table_; }

  Config config_;
  Layout layout_;
  Slot table_, head_;
  Stack<T> encoder_, decoder_;
};

}  // namespace orrery::transformer
