#include "app/study/block/start_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace orrery::study {
namespace {

using tensor::Index;
using Matrix = tensor::Matrix<double>;

/// κ of two unit normal numbers of correlation ρ: E[max(0, u) max(0, v)].
double relu_kernel(double rho) {
  const double r = std::clamp(rho, -1.0, 1.0), angle = std::acos(r);
  return (std::sqrt(1 - r * r) + (std::numbers::pi - angle) * r) / (2 * std::numbers::pi);
}

class MeanField {
 public:
  MeanField(const transformer::Config& config, const transformer::Initialisation& start)
      : config_(transformer::resolved(config)), start_(start), model_(config_) {}

  StartMoments of(const std::vector<Index>& tokens) {
    const auto T = static_cast<Index>(tokens.size());
    const double embedded = deviation("token_embedding.weight");
    Matrix C(T, T);
    for (Index t = 0; t < T; ++t)
      for (Index u = 0; u < T; ++u)
        C(t, u) = tokens[static_cast<std::size_t>(t)] == tokens[static_cast<std::size_t>(u)]
                      ? embedded * embedded
                      : 0;
    own_.assign(tokens.size(), 1);
    StartMoments found;
    found.variance.push_back(C.diagonal().mean());
    for (Index l = 0; l < config_.layers; ++l) {
      const std::string path = "decoder.layers." + std::to_string(l) + ".";
      through_sum(C, [&](const Matrix& n) { return attention(path + "self_attention.", n); });
      found.variance.push_back(C.diagonal().mean());
      through_sum(C, [&](const Matrix& n) { return network(path + "feed_forward.", n); });
      found.variance.push_back(C.diagonal().mean());
    }
    if (model_.layout().find("decoder.norm.weight")) C = normed(C, 1, &own_);
    found.loss = loss(C, embedded);
    return found;
  }

 private:
  double deviation(const std::string& name) const {
    return transformer::beginning_of(config_, *model_.layout().find(name), start_).deviation;
  }
  /// D σ², how much larger the squares behind a matrix are: of all its inputs.
  double gain(const std::string& name) const {
    const auto inputs = static_cast<double>(model_.layout().find(name)->slot.cols);
    return inputs * deviation(name) * deviation(name);
  }

  Matrix normed(const Matrix& C, double gain, std::vector<double>* own = nullptr) const {
    const Eigen::ArrayXd inverse = (C.diagonal().array() + config_.norm.eps).rsqrt();
    if (own)
      for (std::size_t t = 0; t < own->size(); ++t) (*own)[t] *= gain * inverse[static_cast<Index>(t)];
    return gain * gain * (inverse.matrix() * inverse.matrix().transpose()).cwiseProduct(C);
  }

  template <class Sublayer>
  void through_sum(Matrix& C, Sublayer sublayer) {
    const transformer::Norms norms = transformer::norms_of(config_.placement);
    const double alpha = transformer::decoder_deep_norm(config_).alpha;
    Matrix branch = sublayer(norms.before ? normed(C, start_.before_gain) : C);
    if (norms.inner) branch = normed(branch, start_.inner_gain);
    C = alpha * alpha * C + branch;
    for (double& part : own_) part *= alpha;
    if (norms.after) C = normed(C, 1, &own_);
  }

  Matrix attention(const std::string& path, const Matrix& n) const {
    Matrix P = Matrix::Zero(n.rows(), n.cols());
    for (Index t = 0; t < P.rows(); ++t) P.row(t).head(t + 1).setConstant(1.0 / static_cast<double>(t + 1));
    return gain(path + "v.weight") * gain(path + "out.weight") * (P * n * P.transpose());
  }

  Matrix network(const std::string& path, const Matrix& n) const {
    const double both = gain(path + "up.weight") * gain(path + "down.weight");
    Matrix f(n.rows(), n.cols());
    for (Index t = 0; t < n.rows(); ++t)
      for (Index u = 0; u < n.cols(); ++u) {
        const double size = std::sqrt(n(t, t) * n(u, u));
        f(t, u) = size > 0 ? both * size * relu_kernel(t == u ? 1 : n(t, u) / size) : 0;
      }
    return f;
  }

  /// Targets are random, so that the target's own logit is 0 on average, but for the one token in V that is its own target.
  double loss(const Matrix& C, double embedded) const {
    const auto D = static_cast<double>(config_.width), V = static_cast<double>(config_.vocabulary);
    const double head = config_.tied ? embedded : deviation("head.weight");
    double sum = 0;
    for (Index t = 0; t < C.rows(); ++t) {
      const double s = head * std::sqrt(D * C(t, t));
      // What is left of a token's own row in the stream meets that row again.
      const double own = D * embedded * embedded * own_[static_cast<std::size_t>(t)];
      sum += config_.tied ? expected_log_sum(V - 1, s, own) - own / V
                          : expected_log_sum(V, s, -std::numeric_limits<double>::infinity());
    }
    return sum / static_cast<double>(C.rows());
  }

  transformer::Config config_;
  transformer::Initialisation start_;
  transformer::Transformer<float> model_;
  std::vector<double> own_;  ///< how much of its own embedding is in each token's stream
};

}  // namespace

StartMoments start_moments(const transformer::Config& config, const transformer::Initialisation& start,
                           const std::vector<Index>& tokens) {
  return MeanField(config, start).of(tokens);
}

double expected_log_sum(double count, double s, double m) {
  // With u = e^{−w} what is integrated over w is e^{−u} − exp(−u e^m) E[exp(−u e^z)]^count, a step up at 0 and one down at the
  // answer. Of functions so smooth, which vanish at their ends, the trapezium rule is exact to many digits; e^{−20} of the
  // answer lies beyond the last w, and 7 · 10⁻¹⁵ of the normal distribution beyond 8 deviations less.
  constexpr int points = 60;
  constexpr double reach = 8, step = 0.1;
  std::array<double, 2 * points + 1> weights{}, powers{};  // of the normal distribution, and e^{s z}
  for (int i = -points; i <= points; ++i) {
    const double z = reach * i / points;
    weights[static_cast<std::size_t>(i + points)] = std::exp(-z * z / 2);
    powers[static_cast<std::size_t>(i + points)] = std::exp(s * z);
  }
  const double all_weights = std::accumulate(weights.begin(), weights.end(), 0.0), own = std::exp(m);
  const double largest_z = s * (std::sqrt(2 * std::log(std::max(count, 1.0))) + 5);
  const double end = std::max({m, largest_z, std::log(std::max(count, 1.0)) + s * s / 2}) + 20;
  double integral = 0;
  for (double w = -6; w <= end; w += step) {
    const double u = std::exp(-w);
    double mean = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) mean += weights[i] * std::exp(-u * powers[i]);
    integral += step * (std::exp(-u) - std::exp(count * std::log(mean / all_weights) - u * own));
  }
  return integral;
}

}  // namespace orrery::study
