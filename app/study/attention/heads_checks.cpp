#include "app/study/attention/heads_checks.h"

#include "app/study/kit.h"

namespace orrery::study::attention_heads {
namespace {

/// What a score, and from it a weight, may be off by on the run's device.
double weights_slack(const Run& run, const Asked& asked, const MultiHead& all) {
  const Index d = asked.head_width();
  const double keys = number(all.weights[0].cols());
  const double scale = 1 / std::sqrt(number(d));
  double score = 0;
  for (Index h = 0; h < asked.heads.heads; ++h) {
    const Matrix &q = all.q[static_cast<std::size_t>(h)],
                 &k = all.k[static_cast<std::size_t>(asked.key_head(h))];
    const double terms = scale * Matrix(q.cwiseAbs() * k.cwiseAbs().transpose()).maxCoeff();
    const twin::Bounds bounds{attention::scores_bound(d), {.abs = attention::scores_gpu_bound(d) * terms}};
    score = std::max(score, slack(run, bounds, all.scores[static_cast<std::size_t>(h)], 1) +
                                (number(d) + 4) * terms * 0x1p-52);
  }
  const tensor::Bound own = run.device == DeviceChoice::gpu ? attention::softmax_gpu_bound
                                                            : attention::softmax_bound(all.weights[0].cols());
  const double softmax = run.device == DeviceChoice::ref ? 0 : own.rel + keys * own.abs;
  return std::expm1(2 * score) + softmax + (keys + 8) * 0x1p-51;
}

/// The op does all steps at once: what it gives, in double, beside what the steps gave.
double off_the_op(const Asked& asked, const MultiHead& all) {
  attention::AttentionParams params;
  params.scores.scale = 1 / std::sqrt(number(asked.head_width()));
  params.scores.mask = asked.heads.mask;
  Worst worst;
  for (Index h = 0; h < asked.heads.heads; ++h) {
    const auto g = static_cast<std::size_t>(asked.key_head(h));
    Matrix o = Matrix::Zero(asked.text.x.rows(), asked.head_width());
    tensor::View<double> out(o);
    attention::attention_ref(all.q[static_cast<std::size_t>(h)], all.k[g], all.v[g], params, out);
    worst.meet((o - all.outputs[static_cast<std::size_t>(h)]).cwiseAbs().maxCoeff());
  }
  return worst;
}

double largest_value(const MultiHead& all) {
  double most = 0;
  for (const Matrix& v : all.v) most = std::max(most, v.cwiseAbs().maxCoeff());
  return most;
}

/// Each head through its own rows of W^O, and the sum of all.
Matrix summed_heads(const Asked& asked, const MultiHead& all) {
  const Index d = asked.head_width();
  Matrix sum = Matrix::Zero(asked.text.x.rows(), asked.width);
  for (Index h = 0; h < asked.heads.heads; ++h)
    sum += all.outputs[static_cast<std::size_t>(h)] * asked.weights.output.middleRows(h * d, d);
  return sum;
}

/// Keys and values repeated, so that every query head has its own: repeat_interleave.
double off_the_repeated(const Run& run, const Asked& asked, const MultiHead& all) {
  const Index d = asked.head_width();
  Asked repeated = asked;
  for (Index h = 0; h < asked.heads.heads; ++h) {
    if (h == 0) repeated.weights.key = repeated.weights.value = Matrix(asked.width, asked.width);
    repeated.weights.key.middleCols(h * d, d) = asked.weights.key.middleCols(h / asked.group() * d, d);
    repeated.weights.value.middleCols(h * d, d) = asked.weights.value.middleCols(h / asked.group() * d, d);
  }
  repeated.heads.key_heads = asked.heads.heads;
  return (all_of(run, repeated).beside - all.beside).cwiseAbs().maxCoeff();
}

}  // namespace

std::vector<Check> checks_of(const Run& run, const Asked& asked, const MultiHead& all, const Series& heads) {
  const double weights = weights_slack(run, asked, all), keys = number(all.weights[0].cols());
  Worst rows;
  for (const Matrix& each : all.weights)
    rows.meet(Matrix(each.rowwise().sum().array() - 1).cwiseAbs().maxCoeff());
  const double terms = Matrix(all.beside.cwiseAbs() * asked.weights.output.cwiseAbs()).maxCoeff();
  std::vector<Check> checks{
      {"every row of weights sums to 1", rows, weights},
      {"scores, softmax and mean give what the op attention gives", off_the_op(asked, all),
       2 * weights * largest_value(all)},
      {"side by side and through $W^O$ is the sum of what each head adds through its own rows of it",
       (summed_heads(asked, all) - all.result).cwiseAbs().maxCoeff(),
       2 * number(asked.width) * terms * 0x1p-53}};
  if (asked.group() > 1)
    checks.push_back({"key heads repeated for each of their query heads give the same",
                      off_the_repeated(run, asked, all), 2 * weights * largest_value(all) + keys * 0x1p-52});
  if (asked.tied && !asked.cross) {
    Worst off;
    for (Index h = 0; h < asked.heads.heads; h += asked.group()) {
      const Matrix& s = all.scores[static_cast<std::size_t>(h)];
      off.meet(Matrix(s - s.transpose()).cwiseAbs().maxCoeff());
    }
    checks.push_back({"keys that are queries: a score is the same from either side", off, 2 * weights});
  }
  if (asked.one_projection)
    checks.push_back({"one projection for all: every head has the weights of the first",
                      largest(heads["off the first head"]), 2 * weights});
  if (asked.heads.normalised)
    checks.push_back({"QK-norm: no score is above $\\sqrt{d}$", largest(heads["largest score"]),
                      std::sqrt(number(asked.head_width())) * (1 + 0x1p-20)});
  return checks;
}

}  // namespace orrery::study::attention_heads
