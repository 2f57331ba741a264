#include "app/study/block/gradient_paths.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using tensor::Index;
using tensor::Matrix;
using transformer::Sublayer;

/// Of random inputs and gradients; the model's own arrays have streams of their own, by their names.
constexpr std::uint32_t stream_of_tokens = 1, stream_of_gradient = 2;

transformer::Config model_of(const GradientPathQuestion& q) {
  transformer::Config model;
  model.layers = q.layers;
  model.width = q.width;
  model.heads = q.width % 16 == 0 ? q.width / 16 : 1;
  model.hidden = 4 * q.width;
  model.norm.kind = q.norm;
  model.placement = q.placement;
  model.activation = q.activation;
  model.bias = false;
  return transformer::resolved(model);
}

template <class T>
double length_of_part(const Matrix<T>& m) {
  return m.template cast<double>().norm();
}

/// Blocks one behind the other, and what they made of random tokens.
template <class T>
class RandomStack {
 public:
  RandomStack(const GradientPathQuestion& q, const std::function<void()>& after_block)
      : x0_(tensor::Random(q.seed, stream_of_tokens).normals(q.tokens, q.width).template cast<T>()),
        tapes_(static_cast<std::size_t>(q.layers)) {
    const transformer::Config model = model_of(q);
    transformer::BlockConfig block = transformer::decoder_config(model).block;
    if (!q.residual) block.alpha = 0;
    transformer::Layout layout;
    for (Index l = 0; l < q.layers; ++l)
      blocks_.push_back(transformer::Block<T>::make(layout, "decoder.layers." + std::to_string(l), block));
    values_ = transformer::initial_values<T>(model, layout, q.start, q.seed);
    around_.itself.sequences = 1;
    around_.itself.queries = around_.itself.keys = q.tokens;
    for (std::size_t l = 0; l < blocks_.size(); ++l) {
      blocks_[l].forward(values_, input(l), around_, tapes_[l]);
      after_block();
    }
  }

  std::size_t layers() const { return blocks_.size(); }

  void in_parts(std::size_t l, Sublayer which, const Matrix<T>& g, Matrix<T>& identity, Matrix<T>& branch) {
    blocks_[l].backward_in_parts(values_, which, input(l), around_, tapes_[l], g, scratch_, identity, branch);
  }
  /// As training goes back through a block.
  Matrix<T> backward(std::size_t l, Matrix<T> g) {
    blocks_[l].backward(values_, input(l), around_, tapes_[l], {}, scratch_, g, {}, {});
    return g;
  }

  double alpha(std::size_t l) const { return blocks_[l].config.alpha; }
  /// What no vector's length is multiplied by more in the norm behind this sum. Of LayerNorm the Jacobian is
  /// (1/s)(I − 11ᵀ/D − x̂x̂ᵀ/D), s = √(σ² + ε), a projection over s but for what ε leaves of x̂: never longer than 1/s.
  double norm_gain(std::size_t l, Sublayer which) const {
    return residual(l, which).after.exists()
               ? gain(residual(l, which).after.config, residual_tape(l, which).sum)
               : 1;
  }
  /// What the sum of the absolute terms of the way back through a sublayer and its norms is at most, for a gradient of length 1
  /// behind the sum: products of Frobenius norms, which bound the matrices of absolute values too. A norm's three terms are
  /// each at most 1/s.
  double terms(std::size_t l, Sublayer which) const {
    const auto& own = residual(l, which);
    const auto& tape = residual_tape(l, which);
    double bound = which == Sublayer::feed_forward ? network_terms(l) : attention_terms(l);
    if (own.before.exists()) bound *= 3 * gain(own.before.config, input_of_sum(l, which));
    if (own.inner.exists()) bound *= 3 * gain(own.inner.config, tape.branch);
    return (own.alpha + bound) * (own.after.exists() ? 3 * norm_gain(l, which) : 1);
  }

 private:
  tensor::View<const T> input(std::size_t l) const {
    return l == 0 ? tensor::View<const T>(x0_) : tensor::View<const T>(tapes_[l - 1].out());
  }
  tensor::View<const T> input_of_sum(std::size_t l, Sublayer which) const {
    return which == Sublayer::feed_forward ? tensor::View<const T>(tapes_[l].self_residual.out) : input(l);
  }
  const transformer::Residual<T>& residual(std::size_t l, Sublayer which) const {
    return which == Sublayer::feed_forward ? blocks_[l].feed_forward_residual : blocks_[l].self_residual;
  }
  const transformer::ResidualTape<T>& residual_tape(std::size_t l, Sublayer which) const {
    return which == Sublayer::feed_forward ? tapes_[l].feed_forward_residual : tapes_[l].self_residual;
  }
  double norm_of(const transformer::Linear<T>& map) const {
    double sum = 0;
    for (const T w : map.weight.numbers(transformer::Values<T>(values_))) sum += static_cast<double>(w) * w;
    return std::sqrt(sum);
  }

  /// max 1/√(σ² + ε) over the tokens, or of the mean square; gains are 1 here.
  static double gain(const transformer::NormConfig& norm, tensor::View<const T> x) {
    double most = 0;
    for (Index t = 0; t < x.rows; ++t) {
      const auto row = x.eigen().row(t).array().template cast<double>().eval();
      const double mean = norm.kind == transformer::NormKind::layer ? row.mean() : 0;
      most = std::max(most, 1 / std::sqrt((row - mean).square().mean() + norm.eps));
    }
    return most;
  }
  double network_terms(std::size_t l) const {
    constexpr double steepest = 1.13;  // GELU at √2; ReLU 1
    return steepest * norm_of(blocks_[l].feed_forward.up) * norm_of(blocks_[l].feed_forward.down);
  }
  double attention_terms(std::size_t l) const {
    const auto& map = blocks_[l].self_attention;
    const auto& tape = tapes_[l].self_attention;
    const double scale = 1 / std::sqrt(static_cast<double>(map.config.head_width));
    // Values get Pᵀ g; scores twice what reaches the weights, since Σ p = 1, and queries that times the keys.
    const double of_scores = 2 * scale * length_of_part(tape.v);
    return norm_of(map.out) *
           (length_of_part(tape.weights) * norm_of(map.v) +
            of_scores * (length_of_part(tape.k) * norm_of(map.q) + length_of_part(tape.q) * norm_of(map.k)));
  }

  Matrix<T> x0_;
  std::vector<transformer::Block<T>> blocks_;
  std::vector<T> values_;
  transformer::BlockInputs<T> around_;
  std::vector<transformer::BlockTape<T>> tapes_;
  transformer::BlockScratch<T> scratch_;
};

template <class T>
using ByKind = std::array<Matrix<T>, path_kinds>;

template <class T>
Matrix<T> sum_of(const ByKind<T>& parts) {
  Matrix<T> sum = parts[0];
  for (std::size_t m = 1; m < path_kinds; ++m) sum += parts[m];
  return sum;
}

template <class T>
double lengths_of(const ByKind<T>& parts) {
  double sum = 0;
  for (const Matrix<T>& part : parts) sum += length_of_part(part);
  return sum;
}

double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}

/// Goes down from the top, residual sum by residual sum, and notes what there is at each place. Lists are filled from the top.
template <class T>
class WayDown {
 public:
  WayDown(RandomStack<T>& stack, Matrix<T> top) : stack_(stack), top_(length_of_part(top)) {
    for (Matrix<T>& part : parts_) part.setZero(top.rows(), top.cols());
    parts_[0] = std::move(top);
    note_place();
  }

  /// The block's two sums, and beside them its own backward pass, which knows of no parts.
  void over_block(std::size_t l, const std::function<void()>& after_sum) {
    const Matrix<T> above = sum_of(parts_);
    const double of_top = unit() * lengths_of(parts_);
    over_sum(l, Sublayer::feed_forward);
    after_sum();
    const double of_middle = unit() * lengths_of(parts_);
    over_sum(l, Sublayer::self_attention);
    const double off = length_of_part(Matrix<T>(sum_of(parts_) - stack_.backward(l, above)));
    const double allowed = (of_top * stack_.terms(l, Sublayer::feed_forward) + of_middle) *
                           stack_.terms(l, Sublayer::self_attention);
    const double part = off == 0 ? 0 : off / allowed;
    if (!(part <= found_.unexplained)) found_.unexplained = part;
    rescale();
    after_sum();
  }

  GradientPaths from_below() && {
    for (auto* list : {&found_.gradient, &found_.identity, &found_.identity_gain, &found_.branch_gain,
                       &found_.path_gain, &found_.largest_gain})
      std::ranges::reverse(*list);
    for (auto& share : found_.shares) std::ranges::reverse(share);
    return std::move(found_);
  }

 private:
  void over_sum(std::size_t l, Sublayer which) {
    const Matrix<T> g = sum_of(parts_);
    ByKind<T> below;
    for (Matrix<T>& part : below) part.setZero(g.rows(), g.cols());
    Matrix<T> all_identity = below[0], all_branch = below[0], identity = below[0], branch = below[0];
    for (std::size_t m = 0; m < path_kinds; ++m) {
      if (parts_[m].isZero(0)) continue;
      stack_.in_parts(l, which, parts_[m], identity, branch);
      below[m] += identity;
      below[std::min(m + 1, path_kinds - 1)] += branch;
      all_identity += identity;
      all_branch += branch;
    }
    found_.identity_gain.push_back(ratio(length_of_part(all_identity), length_of_part(g)));
    found_.branch_gain.push_back(ratio(length_of_part(all_branch), length_of_part(g)));
    found_.path_gain.push_back(ratio(length_of_part(below[0]), length_of_part(parts_[0])));
    found_.largest_gain.push_back(stack_.alpha(l) * stack_.norm_gain(l, which));
    parts_ = std::move(below);
    note_place();
  }

  /// Everything here is linear in the gradient: a power of two keeps it among floats however many layers it has come through.
  void rescale() {
    const double length = length_of_part(sum_of(parts_));
    if (length == 0) return;
    const int exponent = std::ilogb(length);
    scale_ = std::ldexp(scale_, exponent);
    for (Matrix<T>& part : parts_) part *= std::ldexp(T(1), -exponent);
  }

  /// A sum of n products is off by n roundings of its absolute terms. The longest here has as many as the network is wide
  /// or the text long, and five of them stand one behind the other between a gradient and the next; both ways of reckoning
  /// do that.
  double unit() const {
    const auto longest = static_cast<double>(std::max<Index>(4 * parts_[0].cols(), parts_[0].rows()) + 16);
    return 2 * 5 * longest * (std::numeric_limits<T>::epsilon() / 2);
  }

  void note_place() {
    const Matrix<double> g = sum_of(parts_).template cast<double>();
    found_.gradient.push_back(scale_ * ratio(g.norm(), top_));
    found_.identity.push_back(scale_ * ratio(length_of_part(parts_[0]), top_));
    for (std::size_t m = 0; m < path_kinds; ++m)
      found_.shares[m].push_back(ratio(1, g.squaredNorm()) *
                                 parts_[m].template cast<double>().cwiseProduct(g).sum());
  }

  RandomStack<T>& stack_;
  double top_, scale_ = 1;
  ByKind<T> parts_;
  GradientPaths found_;
};

template <class T>
GradientPaths paths_in(const GradientPathQuestion& q, const std::function<void()>& done) {
  RandomStack<T> stack(q, done);
  WayDown<T> way(stack,
                 tensor::Random(q.seed, stream_of_gradient).normals(q.tokens, q.width).template cast<T>());
  for (std::size_t l = stack.layers(); l-- > 0;) way.over_block(l, done);
  return std::move(way).from_below();
}

}  // namespace

GradientPaths gradient_paths(const Run& run, const GradientPathQuestion& q,
                             const std::function<void()>& done) {
  const auto after = [&] {
    run.check();
    done();
  };
  return run.device == DeviceChoice::ref ? paths_in<double>(q, after) : paths_in<float>(q, after);
}

}  // namespace orrery::study
