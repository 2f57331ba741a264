// Where the norm stands: a sublayer F with its residual connection.
//
//   post       y = N(x + F(x))                              Vaswani et al., arXiv 1706.03762
//   pre        y = x + F(N(x))                              Xiong et al., 2002.04745; N once more behind the last block
//   sandwich   y = x + N'(F(N(x)))                          Ding et al., CogView, 2105.13290; with a norm behind the
//                                                           embedding: Peri-LN, Kim et al., 2502.02732
//   output     y = x + N(F(x))                              OLMo 2, 2501.00656
//   deep_norm  y = N(α x + F(x))                            Wang et al., 2203.00555
//   parallel, parallel_one_norm   the block's business (block.h): y = x + A(N x) + M(N' x), GPT-NeoX; N' = N: PaLM
//
// All of them are one formula,
//
//   n = N_before(x),  f = F(n),  s = α x + N_inner(f),  y = N_after(s)
//
// in which each norm stands or does not. Its derivative, g that of y:
//
//   ds = N_after*(s, g),  df = N_inner*(f, ds),  dn = F*(n, df),  dx = α ds + N_before*(x, dn)
#pragma once

#include "core/transformer/arithmetic.h"
#include "core/transformer/norm.h"

namespace orrery::transformer {

enum class Placement { post, pre, sandwich, output, deep_norm, parallel, parallel_one_norm };

/// Which norms a sublayer has.
struct Norms {
  bool before = false, inner = false, after = false;
};
Norms norms_of(Placement);
/// Whether the stream leaves the last block without a norm, and gets one there.
bool ends_unnormed(Placement);

/// α, and β that DeepNorm multiplies the first weights of V, O and the feed-forward network by.
struct DeepNorm {
  double alpha, beta;
};
/// Of a stack of so many layers that stands alone: α = (2N)^¼, β = (8N)^−¼.
DeepNorm deep_norm(Index layers);
/// Of N encoder and M decoder layers: α = 0.81 (N⁴M)^(1/16), β = 0.87 (N⁴M)^(−1/16), and (3M)^¼, (12M)^−¼.
DeepNorm deep_norm_encoder(Index encoder_layers, Index decoder_layers);
DeepNorm deep_norm_decoder(Index decoder_layers);

/// What a sublayer's forward pass leaves; empty: there is no such norm, and the value is the one before it.
template <class T>
struct ResidualTape {
  Matrix<T> normed, branch, inner, sum, out;  ///< n, f, N_inner(f), s, y

  template <class Each>
  void each(const std::string& path, Each f) const {
    f(path + ".normed", normed);
    f(path + ".branch", branch);
    f(path + ".branch_normed", inner);
    f(path + ".sum", sum);
    f(path + ".out", out);
  }
};

template <class T>
struct Residual {
  Norm<T> before, inner, after;
  double alpha = 1;

  static Residual make(Layout&, const std::string& path, Index width, Placement, const NormConfig&,
                       double alpha);

  /// `sublayer(n, f)` writes F(n) to f. The result is tape.out.
  template <class F>
  void forward(Values<T> values, View<const T> x, ResidualTape<T>& tape, F sublayer) const {
    const auto like_x = [&](Matrix<T>& m) { return room(m, x.rows, x.cols); };
    View<const T> n = x;
    if (before.exists()) before.forward(values, x, like_x(tape.normed)), n = tape.normed;
    sublayer(n, like_x(tape.branch));
    View<const T> f = tape.branch;
    if (inner.exists()) inner.forward(values, f, like_x(tape.inner)), f = tape.inner;
    if (!after.exists()) return scaled_sum<T>(alpha, x, f, like_x(tape.out));
    scaled_sum<T>(alpha, x, f, like_x(tape.sum));
    after.forward(values, tape.sum, like_x(tape.out));
  }

  /// `sublayer(n, df, dn)` writes F*(n, df) to dn. `room_for_df` is scratch. dx may be g.
  template <class F>
  void backward(Values<T> values, View<const T> x, const ResidualTape<T>& tape, View<const T> g,
                Gradient<T> gradient, Matrix<T>& room_for_df, Matrix<T>& room_for_dn, View<T> dx,
                F sublayer) const {
    const View<T> branch = room(room_for_dn, x.rows, x.cols);
    const View<const T> ds = back_to_both(values, x, tape, g, gradient, room_for_df, dx, branch, sublayer);
    scaled_sum<T>(alpha, ds, branch, dx);
  }

  /// The same in two parts, dx = identity + branch: α ds, what the stream itself brings back, and N_before*(x, dn), what comes
  /// through the sublayer. Neither may be g.
  template <class F>
  void backward_in_parts(Values<T> values, View<const T> x, const ResidualTape<T>& tape, View<const T> g,
                         Gradient<T> gradient, Matrix<T>& room_for_df, View<T> identity, View<T> branch,
                         F sublayer) const {
    const View<const T> ds =
        back_to_both(values, x, tape, g, gradient, room_for_df, identity, branch, sublayer);
    identity.eigen() = static_cast<T>(alpha) * ds.eigen();
  }

 private:
  /// Returns ds: g itself, or where a norm stands behind the sum what lies in `room_for_ds` then, which may be g.
  template <class F>
  View<const T> back_to_both(Values<T> values, View<const T> x, const ResidualTape<T>& tape, View<const T> g,
                             Gradient<T> gradient, Matrix<T>& room_for_df, View<T> room_for_ds,
                             View<T> branch, F sublayer) const {
    View<const T> ds = g;
    if (after.exists()) after.backward(values, tape.sum, g, gradient, room_for_ds), ds = room_for_ds;
    View<const T> df = ds;
    if (inner.exists()) {
      const View<T> own = room(room_for_df, x.rows, x.cols);
      inner.backward(values, tape.branch, ds, gradient, own);
      df = own;
    }
    sublayer(before.exists() ? View<const T>(tape.normed) : x, df, branch);
    if (before.exists()) before.backward(values, x, branch, gradient, branch);
    return ds;
  }
};

}  // namespace orrery::transformer
