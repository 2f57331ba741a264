#include "core/attention/score_content.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/simd/thrown.h"
#include "core/tensor/random.h"

namespace orrery::attention {
namespace {

using Phasor = std::complex<double>;

constexpr std::uint32_t queries_stream = 1, keys_stream = 2, topics_stream = 3, stretches_stream = 4,
                        outlier_stream = 5;
constexpr Index topic_count = 6, stretch_count = 48, least_stretch = 4;

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(sum);
}

/// ±size, by the signs of a stream.
std::vector<double> sign_vector(const tensor::Random& random, Index which, Index width, double size) {
  std::vector<double> v(static_cast<std::size_t>(width));
  for (std::size_t j = 0; j < v.size(); ++j)
    v[j] = random.uniform(static_cast<std::uint64_t>(which * width) + j) < 0.5 ? -size : size;
  return v;
}

Phasor pair_of(const std::vector<double>& v, std::size_t i) {
  return {v[2 * i], v[2 * i + 1]};
}

}  // namespace

TokenVectors::TokenVectors(const ScoreContent& content, Side side)
    : content_(content),
      signs_(token_signs(content.seed, side == Side::query ? queries_stream : keys_stream, content.tokens,
                         content.width)) {
  const Index d = content.width;
  if (content.base)
    for (Index i = 0; i < d / 2; ++i)
      theta_.push_back(std::pow(*content.base, -2.0 * static_cast<double>(i) / static_cast<double>(d)));
  const bool topics = content.shared == ScoreContent::Shared::topics;
  if (content.shared != ScoreContent::Shared::nothing)
    for (Index k = 0; k < (topics ? topic_count : 1); ++k)
      topics_.push_back(sign_vector(tensor::Random(content.seed, topics_stream), k, d, content.strength));
  const Index count = topics ? std::clamp(content.tokens / least_stretch, Index{1}, stretch_count) : 1;
  const tensor::Random random(content.seed, stretches_stream);
  const auto cut = [&](Index i) {  // near equal parts, each a little off
    if (i == 0 || i == count) return i == 0 ? Index{0} : content.tokens;
    const double at =
        static_cast<double>(i) + 0.8 * (random.uniform(static_cast<std::uint64_t>(2 * i)) - 0.5);
    return static_cast<Index>(at / static_cast<double>(count) * static_cast<double>(content.tokens));
  };
  for (Index i = 0; i < count; ++i) {
    const auto which = static_cast<std::size_t>(random.uniform(static_cast<std::uint64_t>(2 * i + 1)) *
                                                static_cast<double>(topics_.size()));
    stretches_.push_back({cut(i), cut(i + 1), which});
  }
  if (content.outlier) {
    outlier_ = side == Side::query ? content.outlier->query : content.outlier->key;
    const double h = content.outlier->height,
                 size = std::sqrt(std::abs(h) / (content.scale * static_cast<double>(d)));
    outlier_vector_ = sign_vector(tensor::Random(content.seed, outlier_stream), 0, d,
                                  side == Side::key && h < 0 ? -size : size);
  }
}

TokenVectors::TokenVectors(std::shared_ptr<const VectorSource> source) : source_(std::move(source)) {
  content_.tokens = source_->tokens();
  content_.width = source_->width();
}

std::vector<TokenVectors::Stretch> TokenVectors::stretches_in(Index first, Index end) const {
  std::vector<Stretch> parts;
  for (const Stretch& s : stretches_) {
    const Index from = std::max(first, s.first), to = std::min(end, s.end);
    if (from < to) parts.push_back({from, to, s.topic});
  }
  return parts;
}

const std::vector<double>& TokenVectors::shared_at(Index t) const {
  const auto stretch = std::ranges::upper_bound(stretches_, t, {}, &Stretch::end);
  return topics_[stretch->topic];
}

std::vector<double> TokenVectors::vector(Index t) const {
  if (source_) {
    const tensor::Matrix<double> row = source_->rows(t, 1);
    return {row.data(), row.data() + row.size()};
  }
  return is_outlier(t) ? outlier_vector_ : usual(t);
}

std::vector<double> TokenVectors::usual(Index t) const {
  std::vector<double> v(static_cast<std::size_t>(content_.width));
  signs_->token(t, v);
  for (double& x : v) x *= content_.noise;
  if (topics_.empty()) return v;
  const std::vector<double>& a = shared_at(t);
  for (std::size_t i = 0; i < v.size() / 2; ++i) {
    const double angle = theta_.empty() ? 0 : static_cast<double>(t) * theta_[i];
    const Phasor turned = pair_of(a, i) * std::polar(1.0, angle);
    v[2 * i] += turned.real();
    v[2 * i + 1] += turned.imag();
  }
  return v;
}

tensor::Matrix<double> TokenVectors::rows(Index first, Index count) const {
  if (source_) return source_->rows(first, count);
  constexpr Index set_anew = 64;
  const Index d = content_.width, pairs = d / 2;
  tensor::Matrix<double> all(count, d);
  const bool turns = !topics_.empty() && !theta_.empty();
  const auto set = [&](Index begin) {
    std::vector<Phasor> at(static_cast<std::size_t>(pairs), 1), step = at;
    for (std::size_t i = 0; turns && i < at.size(); ++i) {
      at[i] = std::polar(1.0, static_cast<double>(first + begin) * theta_[i]);
      step[i] = std::polar(1.0, theta_[i]);
    }
    for (Index r = begin; r < std::min(count, begin + set_anew); ++r) {
      const std::span<double> row(all.row(r).data(), static_cast<std::size_t>(d));
      signs_->token(first + r, row);
      for (double& x : row) x *= content_.noise;
      if (!topics_.empty()) {
        const std::vector<double>& a = shared_at(first + r);
        for (std::size_t i = 0; i < at.size(); ++i) {
          const double c = at[i].real(), s = at[i].imag(), x = a[2 * i], y = a[2 * i + 1];
          row[2 * i] += c * x - s * y;
          row[2 * i + 1] += s * x + c * y;
          if (turns) {
            const double cd = step[i].real(), sd = step[i].imag();
            at[i] = {c * cd - s * sd, c * sd + s * cd};
          }
        }
      }
      if (is_outlier(first + r)) std::ranges::copy(outlier_vector_, row.begin());
    }
  };
  simd::Thrown thrown;
#pragma omp parallel for schedule(static) if (count > 4 * set_anew)
  for (Index begin = 0; begin < count; begin += set_anew) thrown.keep([&] { set(begin); });
  thrown.pass_on();
  return all;
}

// The turned vectors of a pair lie on an arc; seen from their mean, which lies on the line through its middle, the farthest is
// an end of the arc, or its middle where the mean lies behind the centre.
Ball TokenVectors::turned_ball(const std::vector<double>& a, Index first, Index end) const {
  if (theta_.empty()) return {a, 0};
  Ball ball{std::vector<double>(a.size()), 0};
  const auto count = static_cast<double>(end - first);
  double square = 0;
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    const double half = theta_[i] / 2, share = std::sin(count * half) / (count * std::sin(half)),
                 middle = static_cast<double>(first + end - 1) * half;
    const Phasor own = pair_of(a, i), mean = own * std::polar(1.0, middle) * share;
    ball.mean[2 * i] = mean.real(), ball.mean[2 * i + 1] = mean.imag();
    const double to_end = std::min((count - 1) * half, std::numbers::pi);
    const double farthest =
        share < 0 ? 1 - share : std::sqrt(1 + share * share - 2 * share * std::cos(to_end));
    square += std::norm(own) * farthest * farthest;
  }
  ball.radius = std::sqrt(square);
  return ball;
}

Ball TokenVectors::shared_ball(Index first, Index end) const {
  const auto count = static_cast<double>(end - first);
  Ball all{std::vector<double>(static_cast<std::size_t>(content_.width)), 0};
  if (topics_.empty()) return all;
  std::vector<Ball> balls;
  for (const Stretch& part : stretches_in(first, end)) {
    balls.push_back(turned_ball(topics_[part.topic], part.first, part.end));
    const double share = static_cast<double>(part.end - part.first) / count;
    for (std::size_t j = 0; j < all.mean.size(); ++j) all.mean[j] += share * balls.back().mean[j];
  }
  if (balls.size() == 1) return std::move(balls.front());
  for (const Ball& ball : balls)
    all.radius = std::max(all.radius, distance(ball.mean, all.mean) + ball.radius);
  return all;
}

Ball TokenVectors::ball(Index first, Index end) const {
  if (source_) return source_->ball(first, end);
  if (end - first == 1) return {vector(first), 0};
  const auto count = static_cast<double>(end - first);
  Ball ball = shared_ball(first, end);
  std::vector<double> alone(ball.mean.size());
  signs_->sum(first, end, alone);
  double reach = static_cast<double>(content_.width);  // |e − ē|² = d − 2 e·ē + |ē|² ≤ d + 2 Σ|ē_j| + |ē|²
  for (std::size_t j = 0; j < alone.size(); ++j) {
    const double mean = alone[j] / count;
    reach += 2 * std::abs(mean) + mean * mean;
    ball.mean[j] += content_.noise * mean;
  }
  ball.radius += content_.noise * std::sqrt(reach);
  if (first <= outlier_ && outlier_ < end) {
    const std::vector<double> before = usual(outlier_);
    double moved = 0;
    for (std::size_t j = 0; j < before.size(); ++j) {
      const double by = (outlier_vector_[j] - before[j]) / count;
      ball.mean[j] += by;
      moved += by * by;
    }
    ball.radius = std::max(ball.radius + std::sqrt(moved), distance(outlier_vector_, ball.mean));
  }
  return ball;
}

}  // namespace orrery::attention
