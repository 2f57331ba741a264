#include "app/study/block/walked.h"

#include <cmath>
#include <limits>

#include "core/attention/attention.h"

namespace orrery::study::block_walk {

std::string path_of(Sub sub) {
  return sub == Sub::attention ? "self_attention" : sub == Sub::cross ? "cross_attention" : "feed_forward";
}

Walked::Walked(const Model& model) : model_(&model), net_(model.config) {
  transformer::Tape<double> tape;
  net_.forward(model.values, model.batch, tape);
  net_.loss(model.batch, tape);  // the probabilities are its first step
  tape.each([&](const std::string& name, const Matrix& m) { tape_[name] = m; });
}

const Matrix& Walked::tape(const std::string& name) const {
  return tape_.at(name);
}

Matrix Walked::weight(const std::string& name) const {
  return transposed_weight(name).transpose();
}

Matrix Walked::transposed_weight(const std::string& name) const {
  const transformer::NamedSlot* array = net_.layout().find(name);
  if (array == nullptr) return {};
  return array->slot.matrix(std::span<const double>(model_->values)).eigen();
}

Index Walked::layers(const std::string& stack) const {
  return stack == "encoder" && model_->has_both() ? config().encoder_layers : config().layers;
}

double Walked::alpha(const std::string& stack) const {
  return (stack == "encoder" ? encoder_deep_norm(config()) : decoder_deep_norm(config())).alpha;
}

const std::vector<std::string>& Walked::words(const std::string& stack) const {
  return stack == "encoder" && model_->has_both() ? model_->source : model_->words;
}

const std::vector<std::string>& Walked::key_words(const Spot& spot) const {
  return spot.sub == Sub::cross ? model_->source : words(spot.stack);
}

const Matrix& Walked::stream(const std::string& stack, Index layer) const {
  if (layer > 0) return tape(Spot{stack, layer - 1, Sub::network}.path() + ".out");
  const std::string normed = stack + ".embedded_normed";
  return has(normed) ? tape(normed) : tape(stack + ".embedded");
}

const Matrix& Walked::stream(const Spot& spot) const {
  if (spot.sub == Sub::attention || parallel()) return stream(spot.stack, spot.layer);
  const std::string cross = Spot{spot.stack, spot.layer, Sub::cross}.path() + ".out";
  if (spot.sub == Sub::network && has(cross)) return tape(cross);
  return tape(Spot{spot.stack, spot.layer, Sub::attention}.path() + ".out");
}

const Matrix& Walked::read(const Spot& spot) const {
  const std::string own = spot.path() + ".normed";
  if (has(own)) return tape(own);
  if (spot.sub == Sub::network && config().placement == transformer::Placement::parallel_one_norm)
    return tape(Spot{spot.stack, spot.layer, Sub::attention}.path() + ".normed");
  return stream(spot);
}

const Matrix& Walked::keys_read(const Spot& spot) const {
  return spot.sub == Sub::cross ? result("encoder") : read(spot);
}

const Matrix& Walked::result(const std::string& stack) const {
  return has(stack + ".out") ? tape(stack + ".out") : stream(stack, layers(stack));
}

attention::ScoresParams Walked::seen(const Spot& spot) const {
  attention::ScoresParams params{.scale = config().score_scale, .cap = config().score_cap};
  const transformer::Batch& batch = model_->batch;
  const bool of_source = spot.sub == Sub::cross || (spot.stack == "encoder" && model_->has_both());
  params.padding = of_source ? batch.source_padding : batch.padding;
  if (spot.stack == "decoder" && spot.sub == Sub::attention) params.mask.kind = attention::Mask::Kind::causal;
  return params;
}

const Matrix& Walked::queries(const Spot& spot) const {
  const std::string q = spot.path() + ".q";
  return has(q + "_turned") ? tape(q + "_turned") : has(q + "_normed") ? tape(q + "_normed") : tape(q);
}

const Matrix& Walked::keys(const Spot& spot) const {
  const std::string k = spot.path() + ".k";
  return has(k + "_turned") ? tape(k + "_turned") : has(k + "_normed") ? tape(k + "_normed") : tape(k);
}

Index Walked::key_head(Index head) const {
  return attention::key_value_head(head, config().heads, config().key_value_heads);
}

bool Walked::biased(const Spot& spot) const {
  return spot.sub == Sub::attention && has(spot.stack + ".bias");
}

Matrix Walked::scores(const Spot& spot, Index head) const {
  const Index d = config().head_width;
  const Matrix &q = queries(spot), &k = keys(spot);
  Matrix s = q.middleCols(head * d, d) * k.middleCols(key_head(head) * d, d).transpose();
  s *= config().score_scale.value_or(1 / std::sqrt(static_cast<double>(d)));
  if (biased(spot)) s += tape(spot.stack + ".bias").middleRows(head * q.rows(), q.rows());
  return s;
}

Matrix Walked::masked(const Spot& spot, const Matrix& scores) const {
  const attention::ScoresParams params = seen(spot);
  Matrix s = scores;
  for (Index t = 0; t < s.rows(); ++t)
    for (Index n = 0; n < s.cols(); ++n)
      if (!params.allows(t, n, s.rows(), s.cols())) s(t, n) = -std::numeric_limits<double>::infinity();
  return s;
}

Matrix Walked::weights(const Spot& spot, Index head) const {
  const Matrix& all = tape(spot.path() + ".weights");
  const Index rows = queries(spot).rows();
  return all.middleRows(head * rows, rows);
}

bool Walked::parallel() const {
  return config().placement == transformer::Placement::parallel ||
         config().placement == transformer::Placement::parallel_one_norm;
}

Index Walked::next() const {
  Index best = 0;
  probabilities().row(model_->last).maxCoeff(&best);
  return best;
}

}  // namespace orrery::study::block_walk
