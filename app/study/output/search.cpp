#include "app/study/output/search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/tensor/random.h"

namespace orrery::study::output {

using tensor::Index;

double step_of(const Chain& chain, const Sequence& sequence, Index next) {
  return chain(sequence.tokens.empty() ? 0 : 1 + sequence.tokens.back(), next);
}

Sequence Sequence::with(Index token, const Chain& chain) const {
  Sequence longer{tokens, log_probability + step_of(chain, *this, token)};
  longer.tokens.push_back(token);
  return longer;
}

Sequence greedy(const Chain& chain, Index length) {
  Sequence sequence;
  for (Index t = 0; t < length; ++t) {
    Index likeliest = 0;
    for (Index v = 1; v < chain.cols(); ++v)
      if (step_of(chain, sequence, v) > step_of(chain, sequence, likeliest)) likeliest = v;
    sequence = sequence.with(likeliest, chain);
  }
  return sequence;
}

Beam beam(const Chain& chain, Index length, std::size_t width) {
  Beam beam{.found = {}, .kept = {{Sequence{}}}};
  for (Index t = 0; t < length; ++t) {
    std::vector<Sequence> longer;
    for (const Sequence& sequence : beam.kept.back())
      for (Index v = 0; v < chain.cols(); ++v) longer.push_back(sequence.with(v, chain));
    std::ranges::stable_sort(longer, [](const Sequence& a, const Sequence& b) {
      return a.log_probability != b.log_probability ? a.log_probability > b.log_probability
                                                    : a.tokens < b.tokens;
    });
    if (longer.size() > width) longer.resize(width);
    beam.kept.push_back(std::move(longer));
  }
  beam.found = beam.kept.back().front();
  return beam;
}

Sequence sample(const Chain& chain, const Chain& drawn_from, Index length, std::uint64_t seed) {
  const tensor::Random random(seed, 7);
  Sequence sequence;
  for (Index t = 0; t < length; ++t) {
    double left = random.uniform(static_cast<std::uint64_t>(t));
    Index token = 0;
    while (token + 1 < chain.cols() && left >= std::exp(step_of(drawn_from, sequence, token)))
      left -= std::exp(step_of(drawn_from, sequence, token++));
    sequence = sequence.with(token, chain);
  }
  return sequence;
}

std::vector<Sequence> all_sequences(const Chain& chain, Index length) {
  std::vector<Sequence> all{Sequence{}};
  for (Index t = 0; t < length; ++t) {
    std::vector<Sequence> longer;
    for (const Sequence& sequence : all)
      for (Index v = 0; v < chain.cols(); ++v) longer.push_back(sequence.with(v, chain));
    all = std::move(longer);
  }
  return all;
}

double viterbi(const Chain& chain, Index length) {
  std::vector<double> best(static_cast<std::size_t>(chain.cols()));
  for (Index v = 0; v < chain.cols(); ++v) best[static_cast<std::size_t>(v)] = chain(0, v);
  for (Index t = 1; t < length; ++t) {
    std::vector<double> next(best.size(), -INFINITY);
    for (std::size_t u = 0; u < best.size(); ++u)
      for (std::size_t v = 0; v < next.size(); ++v)
        next[v] = std::max(next[v], best[u] + chain(1 + static_cast<Index>(u), static_cast<Index>(v)));
    best = std::move(next);
  }
  return *std::ranges::max_element(best);
}

}  // namespace orrery::study::output
