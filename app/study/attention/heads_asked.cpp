#include "app/study/attention/heads_asked.h"

#include "app/study/kit.h"
#include "app/study/kit/words.h"

namespace orrery::study::attention_heads {
namespace {

constexpr std::size_t most_words = 48;

Sentence sentence_of(const Settings& settings, const char* name, Index width) {
  Sentence s{words_in(settings, name, most_words), {}};
  s.x = Matrix(std::ssize(s.words), width);
  for (Index t = 0; t < s.x.rows(); ++t)
    s.x.row(t) = tensor::Random(seed_of(settings) ^ number_of_word(s.words[static_cast<std::size_t>(t)]), 9)
                     .normals(1, width);
  s.x = twin::rounded(s.x);
  return s;
}

/// Of variance 1/D: what goes in with variance 1 comes out so.
Matrix projection(std::uint64_t seed, std::uint32_t stream, Index rows, Index cols) {
  const double edge = std::sqrt(3.0 / number(rows));
  return twin::rounded(tensor::Random(seed, stream).uniforms(rows, cols, -edge, edge));
}

void repeat_first_head(Matrix& weights, Index width) {
  for (Index at = width; at < weights.cols(); at += width)
    weights.middleCols(at, width) = weights.leftCols(width);
}

HeadWeights weights_of(const Settings& settings, const Asked& asked) {
  const std::uint64_t seed = seed_of(settings);
  const Index D = asked.width, d = asked.head_width(), kept = asked.heads.key_heads * d;
  HeadWeights w{projection(seed, 1, D, D), projection(seed, 2, D, kept), projection(seed, 3, D, kept),
                projection(seed, 4, D, D)};
  if (asked.one_projection)
    for (Matrix* each : {&w.query, &w.key, &w.value}) repeat_first_head(*each, d);
  if (asked.tied)
    for (Index g = 0; g < asked.heads.key_heads; ++g)
      w.key.middleCols(g * d, d) = w.query.middleCols(g * asked.group() * d, d);
  return w;
}

}  // namespace

Asked asked_of(const Settings& settings) {
  Asked asked;
  asked.width = std::stol(settings.choice("width"));
  asked.cross = settings.toggle("cross");
  asked.tied = settings.toggle("tied");
  asked.one_projection = settings.toggle("one_projection");
  asked.text = sentence_of(settings, "text", asked.width);
  asked.source = asked.cross && !words_in(settings.text("source")).empty()
                     ? sentence_of(settings, "source", asked.width)
                     : asked.text;
  asked.heads.heads = std::stol(settings.choice("heads"));
  asked.heads.key_heads = std::max<Index>(1, asked.heads.heads / std::stol(settings.choice("shared_by")));
  asked.heads.normalised = settings.toggle("norm");
  if (!asked.cross && settings.choice("mask") == "causal")
    asked.heads.mask = {.kind = attention::Mask::Kind::causal};
  asked.head = std::min<Index>(settings.integer("head"), asked.heads.heads - 1);
  asked.weights = weights_of(settings, asked);
  return asked;
}

MultiHead all_of(const Run& run, const Asked& asked) {
  return multi_head(run, asked.text.x, asked.source.x, asked.weights, asked.heads);
}

}  // namespace orrery::study::attention_heads
