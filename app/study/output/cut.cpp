#include "app/study/output/cut.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/study/kit/words.h"
#include "core/tensor/error.h"

namespace orrery::study::output {

using tensor::Index;
using twin::Matrix;

namespace {

constexpr std::size_t most_words = 16;

template <class Rule>
Matrix truncated(const Run& run, const Matrix& logits, const Rule& rule) {
  if (run.device == DeviceChoice::ref) {
    Matrix y(logits.rows(), logits.cols());
    attention::truncate_ref(logits, rule, y);
    return y;
  }
  const tensor::Matrix<float> x = logits.cast<float>();
  tensor::Matrix<float> y(x.rows(), x.cols());
  if (run.device == DeviceChoice::gpu)
    attention::truncate_gpu(run.gpu(), x, rule, y);
  else
    attention::truncate_cpu<float>(x, rule, y);
  return y.cast<double>();
}

}  // namespace

Vocabulary Vocabulary::of(std::string_view text) {
  Vocabulary vocabulary{words_in(text)};
  if (vocabulary.words.size() > most_words) vocabulary.words.resize(most_words);
  if (vocabulary.words.empty())
    throw InvalidArgument(about(Subject::Kind::parameter, "words")
                              .found("0")
                              .fault("it has {} words", "0")
                              .allowed("{} to {}", 1, most_words));
  return vocabulary;
}

Vocabulary Vocabulary::in_order(const std::vector<Index>& order) const {
  Vocabulary ordered;
  for (const Index v : order) ordered.words.push_back(words[static_cast<std::size_t>(v)]);
  return ordered;
}

std::vector<std::string> Vocabulary::as_names() const {
  std::vector<std::string> names;
  for (const std::string& word : words) names.push_back(as_typed(word));
  return names;
}

void Vocabulary::name(figure::Axis& axis) const {
  axis.names = as_names();
  axis.typed_names = true;
}

Cut cut_of(const Run& run, const Matrix& logits, const Rules& rules) {
  const auto words = static_cast<std::size_t>(logits.cols());
  Cut cut;
  cut.order.resize(words);
  std::iota(cut.order.begin(), cut.order.end(), Index{0});
  std::ranges::stable_sort(cut.order, [&](Index a, Index b) { return logits(0, a) > logits(0, b); });
  cut.reason.assign(words, Reason::kept);
  const auto softmax = [&](const Matrix& x) {
    return twin::softmax(run, x, {.temperature = rules.temperature});
  };
  cut.probability = softmax(logits);

  Matrix left = logits;
  const auto apply = [&](const auto& rule, Reason reason) {
    if (!rule) return;
    left = truncated(run, left, *rule);
    for (std::size_t v = 0; v < words; ++v)
      if (std::isinf(left(0, static_cast<Index>(v))) && cut.reason[v] == Reason::kept) cut.reason[v] = reason;
  };
  apply(rules.top_k, Reason::top_k);
  cut.seen = softmax(left);
  apply(rules.top_p, Reason::top_p);
  apply(rules.min_p, Reason::min_p);
  cut.drawn = softmax(left);
  cut.kept = std::ranges::count(cut.reason, Reason::kept);
  return cut;
}

double missed(const attention::TopP& rule, const Cut& cut) {
  double sum = 0, last = 0;
  for (const Index v : cut.order) {
    const Reason reason = cut.reason[static_cast<std::size_t>(v)];
    if (reason == Reason::top_k || reason == Reason::top_p) continue;
    last = cut.seen(0, v);
    sum += last;
  }
  return std::max({rule.p - sum, sum - last - rule.p, 0.0});
}

}  // namespace orrery::study::output
