#include "core/training/task.h"

#include <algorithm>
#include <cmath>

#include "core/training/draws.h"

namespace orrery::training {
namespace {

/// Of shape α < 1: Marsaglia and Tsang's (2000) for α + 1, times U^(1/α).
double gamma(Draws& draws, double alpha) {
  const double d = alpha + 1 - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = draws.normal(), v = std::pow(1 + c * x, 3), u = draws.uniform();
    if (v > 0 && std::log(u) < x * x / 2 + d - d * v + d * std::log(v))
      return d * v * std::pow(draws.uniform(), 1 / alpha);
  }
}

std::vector<double> dirichlet(Draws& draws, Index count, double alpha) {
  std::vector<double> p(static_cast<std::size_t>(count));
  double sum = 0;
  for (double& x : p) sum += x = gamma(draws, alpha);
  for (double& x : p) x = sum > 0 ? x / sum : 1 / static_cast<double>(count);
  return p;
}

Index drawn(Draws& draws, const std::vector<double>& p) {
  double left = draws.uniform();
  for (std::size_t i = 0; i + 1 < p.size(); ++i)
    if ((left -= p[i]) < 0) return static_cast<Index>(i);
  return static_cast<Index>(p.size()) - 1;
}

/// A sequence without its last token, and each token's next one.
void add(Batch& batch, const std::vector<Index>& sequence, std::size_t asked_from) {
  for (std::size_t t = 0; t + 1 < sequence.size(); ++t) {
    batch.tokens.push_back(sequence[t]);
    batch.targets.push_back(t + 1 >= asked_from ? sequence[t + 1] : transformer::no_target);
  }
}

Batch copies(const CopyTask& task, Index n, Index sequences, Draws draws) {
  Batch batch{.sequences = sequences, .length = CopyTask::read(n)};
  for (Index b = 0; b < sequences; ++b) {
    std::vector<Index> word(static_cast<std::size_t>(n));
    for (Index& token : word) token = draws.below(task.content);
    std::vector<Index> sequence{task.content};
    sequence.insert(sequence.end(), word.begin(), word.end());
    sequence.push_back(task.content + 1);
    sequence.insert(sequence.end(), word.begin(), word.end());
    add(batch, sequence, word.size() + 2);
  }
  return batch;
}

Batch chains(const MarkovTask& task, Index tokens, Index sequences, Draws draws) {
  Batch batch{.sequences = sequences, .length = tokens};
  for (Index b = 0; b < sequences; ++b) {
    std::vector<std::vector<double>> rows;
    for (Index i = 0; i < task.states; ++i) rows.push_back(dirichlet(draws, task.states, task.concentration));
    std::vector<Index> sequence{draws.below(task.states)};
    while (static_cast<Index>(sequence.size()) <= tokens)
      sequence.push_back(drawn(draws, rows[static_cast<std::size_t>(sequence.back())]));
    add(batch, sequence, 1);
  }
  return batch;
}

}  // namespace

Batch CopyTask::training(std::uint64_t seed, std::uint64_t step) const {
  Draws draws = Draws::of_training(seed, step);
  const Index n = shortest + draws.below(longest - shortest + 1);
  return copies(*this, n, std::max<Index>(1, tokens / (read(n) + 1)), draws);
}

Batch CopyTask::of_length(Index n, Index sequences, std::uint64_t seed, std::uint32_t stream) const {
  return copies(*this, n, sequences, Draws::of_test(seed, stream));
}

Batch MarkovTask::training(std::uint64_t seed, std::uint64_t step) const {
  return chains(*this, length, sequences, Draws::of_training(seed, step));
}

Batch MarkovTask::of_length(Index tokens, Index count, std::uint64_t seed, std::uint32_t stream) const {
  return chains(*this, tokens, count, Draws::of_test(seed, stream));
}

std::vector<double> MarkovTask::floor_of(const Batch& batch) const {
  const auto count = static_cast<std::size_t>(states);
  std::vector<double> floor(batch.targets.size());
  for (Index b = 0; b < batch.sequences; ++b) {
    std::vector<double> seen(count * count), of_row(count);
    for (Index t = 0; t < batch.length; ++t) {
      const auto at = static_cast<std::size_t>(b * batch.length + t);
      if (batch.targets[at] == transformer::no_target) continue;
      const auto i = static_cast<std::size_t>(batch.tokens[at]),
                 j = static_cast<std::size_t>(batch.targets[at]);
      const double all = of_row[i] + concentration * static_cast<double>(states);
      floor[at] = -std::log((seen[i * count + j] + concentration) / all);
      ++seen[i * count + j];
      ++of_row[i];
    }
  }
  return floor;
}

}  // namespace orrery::training
