#include "app/study/block/placement_measured.h"

#include <algorithm>
#include <cmath>

namespace orrery::study::block_placement {

using transformer::Batch;
using transformer::BlockTape;
using transformer::Matrix;
using transformer::Placement;

namespace {

constexpr Index vocabulary = 256;
constexpr double eps = 1e-12;  // as good as none: the paper's norms have none

/// What a block leaves; where its last norm stands on the stream, what that norm reads.
template <class T>
const Matrix<T>& before_last_norm(const BlockTape<T>& block) {
  const auto& own = block.feed_forward_residual;
  return own.sum.size() > 0 ? own.sum : own.out;
}

/// What a norm divides a token by.
template <class Row>
double divisor(const Row& x, transformer::NormKind kind) {
  const double mean = kind == transformer::NormKind::layer ? x.mean() : 0;
  return std::sqrt((x.array() - mean).square().mean());
}

/// Lemma 3: a norm passes back no more than the gradient's length over its divisor. The last layer's gradient is a sum over
/// tokens of a product of what comes back and what W₂ reads, and no longer than the lengths' products together. What comes back
/// from the logits may be off by a rounding for each of their products.
template <class T>
double allowed_by_norms(const InitialPass<T>& pass, transformer::NormKind kind) {
  const BlockTape<T>& last = pass.tape.decoder.layers.back();
  const auto numbers = [](const Matrix<T>& m) { return Matrix<double>(m.template cast<double>()); };
  const Matrix<double> head = pass.value_of("head.weight").eigen().template cast<double>();
  const Matrix<double> of_logits = numbers(pass.tape.dlogits), of_result = of_logits * head,
                       read = numbers(before_last_norm(last)),
                       activated = numbers(last.feed_forward.activated),
                       branch = numbers(last.feed_forward_residual.branch);
  const bool inner = last.feed_forward_residual.inner.size() > 0;
  const double unit = sizeof(T) == sizeof(float) ? 0x1p-24 : 0x1p-53, head_size = head.norm(),
               terms = static_cast<double>(head.rows() + 8);
  double sum = 0;
  for (Index n = 0; n < read.rows(); ++n) {
    double back = of_result.row(n).norm() + unit * terms * of_logits.row(n).norm() * head_size;
    back /= divisor(read.row(n), kind);
    if (inner) back /= divisor(branch.row(n), kind);
    sum += back * activated.row(n).norm();
  }
  return sum;
}

template <class T>
Measured measured_as(const Run& run, const Asked& asked, const NormPlace& place, Index depth,
                     InitialDraws& draws, const Batch& batch) {
  InitialPass<T> pass(asked.config(place, depth));
  draws.fill(run, pass);
  pass.scale(transformer::Role::query, asked.score_gain);
  pass.forward(run, batch);
  pass.backward(run, batch);
  const auto& decoder = pass.tape.decoder;
  Measured found;
  found.squares.push_back(mean_square_of<T>(decoder.normed.size() > 0 ? decoder.normed : decoder.embedded));
  for (const BlockTape<T>& block : decoder.layers)
    found.squares.push_back(mean_square_of<T>(before_last_norm(block)));
  for (Index l = 0; l < depth; ++l)
    found.gradients.push_back(
        norm_of<T>(pass.gradient_of("decoder.layers." + std::to_string(l) + ".feed_forward.down.weight")));
  found.allowed = allowed_by_norms(pass, asked.norm);
  return found;
}

template <class T>
std::vector<double> logits_as(const Run& run, const Asked& asked, transformer::QkNorm qk_norm,
                              InitialDraws& draws) {
  transformer::Config config = asked.config(*asked.followed, asked.layers);
  config.qk_norm = qk_norm;
  InitialPass<T> pass(config);
  draws.fill(run, pass);
  pass.scale(transformer::Role::query, asked.score_gain);
  pass.forward(run, batch_of(asked, 0));
  const Index d = asked.width / asked.heads;
  std::vector<double> all;
  for (const BlockTape<T>& block : pass.tape.decoder.layers) {
    const Matrix<T>&q = block.self_attention.queries(), &k = block.self_attention.keys();
    double largest = 0;
    for (Index h = 0; h < asked.heads; ++h) {
      const Matrix<T> scores = q.middleCols(h * d, d) * k.middleCols(h * d, d).transpose();
      for (Index t = 0; t < scores.rows(); ++t)  // of what a token sees
        largest = std::max(largest, static_cast<double>(scores.row(t).head(t + 1).cwiseAbs().maxCoeff()));
    }
    all.push_back(largest / std::sqrt(static_cast<double>(d)));
  }
  return all;
}

bool normed_behind_branch(const NormPlace& place) {
  return transformer::norms_of(place.placement).inner;
}

}  // namespace

transformer::Config Asked::config(const NormPlace& place, Index depth) const {
  transformer::Config config;
  config.vocabulary = vocabulary;
  config.length = tokens;
  config.width = width;
  config.layers = depth;
  config.heads = heads;
  config.hidden = hidden;
  config.norm = {.kind = norm, .eps = eps};
  config.placement = place.placement;
  config.embedding_norm = place.embedding_norm;
  config.activation = activation::Kind::relu;
  config.positions = transformer::Positions::none;
  config.tied = false;
  return config;
}

std::vector<Index> Asked::depths() const {
  std::vector<Index> all;
  for (Index depth = layers; depth >= 2; depth /= 2) all.insert(all.begin(), depth);
  return all;
}

Batch batch_of(const Asked& asked, Index which_seed) {
  return initial_batch(vocabulary, 1, asked.tokens, asked.seed + static_cast<std::uint64_t>(which_seed));
}

InitialDraws draws_of(const Asked& asked, Index which_seed) {
  return {asked.start, asked.seed + static_cast<std::uint64_t>(which_seed)};
}

Measured measured(const Run& run, const Asked& asked, const NormPlace& place, Index depth,
                  InitialDraws& draws, const Batch& batch) {
  return run.device == DeviceChoice::ref ? measured_as<double>(run, asked, place, depth, draws, batch)
                                         : measured_as<float>(run, asked, place, depth, draws, batch);
}

std::vector<double> largest_logits(const Run& run, const Asked& asked, transformer::QkNorm qk_norm,
                                   InitialDraws& draws) {
  return run.device == DeviceChoice::ref ? logits_as<double>(run, asked, qk_norm, draws)
                                         : logits_as<float>(run, asked, qk_norm, draws);
}

double largest_normed_logit(const Asked& asked) {
  const auto D = static_cast<double>(asked.width), d = D / static_cast<double>(asked.heads);
  return asked.qk_norm == transformer::QkNorm::heads ? std::sqrt(d) : D / std::sqrt(d);
}

Branches branches_of(const Asked& asked, const NormPlace& place, Index depth) {
  const transformer::Transformer<float> model(asked.config(place, depth));
  const auto square = [&](const char* name) {
    const transformer::NamedSlot& array =
        *model.layout().find(std::string("decoder.layers.0.") + name + ".weight");
    const double deviation = transformer::beginning_of(model.config(), array, asked.start).deviation;
    return deviation * deviation;
  };
  const auto D = static_cast<double>(asked.width), F = static_cast<double>(asked.hidden);
  const transformer::DeepNorm deep = transformer::decoder_deep_norm(model.config());
  return {.network = 0.5 * D * square("feed_forward.up") * F * square("feed_forward.down"),
          .attention = D * square("self_attention.v") * D * square("self_attention.out"),
          .alpha = deep.alpha,
          .beta = deep.beta};
}

// A branch f beside x: E|x + f|² = |x|² + E|f|², for f's last matrix is as often −f's. Their product 2 x·f/D deviates by
// 2 √(|x|²/D · |f|²/D / D). |f|² itself is a sum of D squares, of as many again in attention, of F halves of squares in the
// network: relative variances of 2/D and of 5/F. A branch behind a norm has |f|² = D exactly, and D − 1 directions.
Law law_of(const Asked& asked, const NormPlace& place, Index depth) {
  const Branches part = branches_of(asked, place, depth);
  const auto D = static_cast<double>(asked.width), F = static_cast<double>(asked.hidden);
  const auto product = [&](double of_x, double of_f) { return 4 * of_x * of_f / D; };
  const auto of_network = part.network * part.network * (2 / D + 5 / F),
             of_attention = part.attention * part.attention * 4 / D;
  double least = 1, most = 1, variance = place.embedding_norm ? 0 : 2 / D;
  Law law;
  const auto keep = [&] {
    law.least.push_back(least);
    law.most.push_back(most);
    law.deviation.push_back(std::sqrt(variance));
  };
  keep();
  for (Index l = 0; l < depth; ++l) {
    if (transformer::norms_of(place.placement).after) {
      const double kept = part.alpha * part.alpha;
      least = most = kept + part.network;
      variance = product(kept, part.network) + of_network;
    } else if (normed_behind_branch(place)) {
      variance += (4 * most + 4 * (most + 1)) / (D - 1);
      least += 2;
      most += 2;
    } else {
      variance += product(most, part.attention) + of_attention;
      most += part.attention;
      variance += product(most, part.network) + of_network;
      most += part.network;
      least += part.network;
    }
    keep();
  }
  return law;
}

}  // namespace orrery::study::block_placement
