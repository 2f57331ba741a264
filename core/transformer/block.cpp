#include "core/transformer/block.h"

namespace orrery::transformer {

template <class T>
Block<T> Block<T>::make(Layout& layout, const std::string& path, const BlockConfig& config) {
  const auto residual = [&](const char* name) {
    return Residual<T>::make(layout, path + name, config.feed_forward.width, config.placement, config.norm,
                             config.alpha);
  };
  Block block;
  block.config = config;
  block.self_residual = residual(".self_attention");
  block.self_attention = Attention<T>::make(layout, path + ".self_attention", config.attention);
  if (config.cross) {
    AttentionConfig towards_memory = config.attention;
    towards_memory.mask = {};
    block.cross_residual = residual(".cross_attention");
    block.cross_attention = Attention<T>::make(layout, path + ".cross_attention", towards_memory);
  }
  if (config.placement != Placement::parallel_one_norm)
    block.feed_forward_residual = residual(".feed_forward");
  block.feed_forward = FeedForward<T>::make(layout, path + ".feed_forward", config.feed_forward);
  return block;
}

template <class T>
void Block<T>::forward(Values<T> values, View<const T> x, const BlockInputs<T>& in,
                       BlockTape<T>& tape) const {
  if (config.parallel()) return forward_in_parallel(values, x, in, tape);
  self_residual.forward(values, x, tape.self_residual, [&](View<const T> n, View<T> f) {
    self_attention.forward(values, n, n, in.itself, tape.self_attention, f);
  });
  View<const T> stream = tape.self_residual.out;
  if (config.cross) {
    cross_residual.forward(values, stream, tape.cross_residual, [&](View<const T> n, View<T> f) {
      cross_attention.forward(values, n, in.memory, in.towards_memory, tape.cross_attention, f);
    });
    stream = tape.cross_residual.out;
  }
  feed_forward_residual.forward(values, stream, tape.feed_forward_residual, [&](View<const T> n, View<T> f) {
    feed_forward.forward(values, n, tape.feed_forward, f);
  });
}

template <class T>
void Block<T>::backward(Values<T> values, View<const T> x, const BlockInputs<T>& in, const BlockTape<T>& tape,
                        Gradient<T> gradient, BlockScratch<T>& scratch, View<T> d, View<T> dmemory,
                        View<T> dbias) const {
  if (config.parallel()) return backward_in_parallel(values, x, in, tape, gradient, scratch, d, dbias);
  const auto back = [&](const Residual<T>& residual, View<const T> stream, const ResidualTape<T>& own,
                        auto sublayer) {
    residual.backward(values, stream, own, d, gradient, scratch.df, scratch.dn, d, sublayer);
  };
  back(feed_forward_residual, config.cross ? tape.cross_residual.out : tape.self_residual.out,
       tape.feed_forward_residual, [&](View<const T> n, View<const T> df, View<T> dn) {
         feed_forward.backward(values, n, tape.feed_forward, df, gradient, scratch.feed_forward, dn);
       });
  if (config.cross) {
    back(cross_residual, tape.self_residual.out, tape.cross_residual,
         [&](View<const T> n, View<const T> df, View<T> dn) {
           const View<T> own = room(scratch.dmemory, in.memory.rows, in.memory.cols);
           cross_attention.backward(values, n, in.memory, in.towards_memory, tape.cross_attention, df,
                                    gradient, scratch.attention, dn, own, {});
           add<T>(own, dmemory);
         });
  }
  back(self_residual, x, tape.self_residual, [&](View<const T> n, View<const T> df, View<T> dn) {
    self_attention.backward(values, n, n, in.itself, tape.self_attention, df, gradient, scratch.attention, dn,
                            {}, dbias);
  });
}

template <class T>
void Block<T>::backward_in_parts(Values<T> values, Sublayer which, View<const T> x, const BlockInputs<T>& in,
                                 const BlockTape<T>& tape, View<const T> g, BlockScratch<T>& scratch,
                                 View<T> identity, View<T> branch) const {
  constexpr Gradient<T> nobody_asks{};
  if (which == Sublayer::feed_forward)
    return feed_forward_residual.backward_in_parts(
        values, tape.self_residual.out, tape.feed_forward_residual, g, nobody_asks, scratch.df, identity,
        branch, [&](View<const T> n, View<const T> df, View<T> dn) {
          feed_forward.backward(values, n, tape.feed_forward, df, nobody_asks, scratch.feed_forward, dn);
        });
  self_residual.backward_in_parts(values, x, tape.self_residual, g, nobody_asks, scratch.df, identity, branch,
                                  [&](View<const T> n, View<const T> df, View<T> dn) {
                                    self_attention.backward(values, n, n, in.itself, tape.self_attention, df,
                                                            nobody_asks, scratch.attention, dn, {}, {});
                                  });
}

template <class T>
void Block<T>::forward_in_parallel(Values<T> values, View<const T> x, const BlockInputs<T>& in,
                                   BlockTape<T>& tape) const {
  ResidualTape<T>&own = tape.self_residual, &network = tape.feed_forward_residual;
  const auto like_x = [&](Matrix<T>& m) { return room(m, x.rows, x.cols); };
  self_residual.before.forward(values, x, like_x(own.normed));
  View<const T> n = own.normed;
  self_attention.forward(values, n, n, in.itself, tape.self_attention, like_x(own.branch));
  if (feed_forward_residual.before.exists()) {
    feed_forward_residual.before.forward(values, x, like_x(network.normed));
    n = network.normed;
  }
  feed_forward.forward(values, n, tape.feed_forward, like_x(network.branch));
  scaled_sum<T>(1, x, own.branch, like_x(own.out));
  scaled_sum<T>(1, own.out, network.branch, like_x(network.out));
}

template <class T>
void Block<T>::backward_in_parallel(Values<T> values, View<const T> x, const BlockInputs<T>& in,
                                    const BlockTape<T>& tape, Gradient<T> gradient, BlockScratch<T>& scratch,
                                    View<T> d, View<T> dbias) const {
  const bool one_norm = !feed_forward_residual.before.exists();
  const View<const T> n = tape.self_residual.normed;
  const View<T> dn = room(scratch.dn, x.rows, x.cols),
                of_network = room(scratch.dn_of_network, x.rows, x.cols);
  feed_forward.backward(values, one_norm ? n : View<const T>(tape.feed_forward_residual.normed),
                        tape.feed_forward, d, gradient, scratch.feed_forward, of_network);
  self_attention.backward(values, n, n, in.itself, tape.self_attention, d, gradient, scratch.attention, dn,
                          {}, dbias);
  if (one_norm) {
    add<T>(of_network, dn);
  } else {
    feed_forward_residual.before.backward(values, x, of_network, gradient, of_network);
    add<T>(of_network, d);
  }
  self_residual.before.backward(values, x, dn, gradient, dn);
  add<T>(dn, d);
}

template struct Block<float>;
template struct Block<double>;

}  // namespace orrery::transformer
