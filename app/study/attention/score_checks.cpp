#include "app/study/attention/score_checks.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/study/attention/attend.h"
#include "app/study/attention/position_checks.h"
#include "app/study/attention/score_bias.h"
#include "app/study/kit/checks.h"
#include "app/study/kit/numbers.h"
#include "app/study/kit/spectra.h"
#include "core/attention/attention.h"

namespace orrery::study::attention_scores {

using attention::Mask;
using parameter::Settings;
using tensor::Index;
using twin::Matrix;

namespace {

/// QKᵀ as one product of matrices, in double; with Self-Extend as two.
Matrix plain_products(const Meeting& meeting) {
  return meeting.merged([](const Vectors& v) -> Matrix { return v.q * v.k.transpose(); });
}

/// What all checks of one result ask for.
struct Asked {
  const Settings& settings;
  const Run& run;
  const Attention& a;
  attention::ScoresParams params;
  attention::SoftmaxParams softmax;
  Index length, width;
  double terms;    ///< the largest sum of the sizes of a score's terms
  double largest;  ///< score that is seen, in size

  twin::Bounds score_bounds() const {
    const double added = a.bias.size() > 0 ? a.bias.cwiseAbs().maxCoeff() : 0;
    return {attention::scores_bound(width), {.abs = attention::scores_gpu_bound(width) * (terms + added)}};
  }
  twin::Bounds softmax_bounds() const {
    return {attention::softmax_bound(length), attention::softmax_gpu_bound};
  }
  tensor::Bound softmax_own() const {
    const twin::Bounds bounds = softmax_bounds();
    return run.device == DeviceChoice::gpu ? bounds.gpu : bounds.cpu;
  }
  bool on_reference() const { return run.device == DeviceChoice::ref; }
  /// By how much a score may be off: what the device loses, and what a sum of d products in double does, on both sides.
  double score_slack() const {
    return 2 * (number(width) + 2) * terms * 0x1p-53 +
           slack(run, score_bounds(), Matrix::Constant(1, 1, largest), 1);
  }
};

Asked asked_of(const Settings& settings, const Run& run, const Attention& a) {
  Asked asked{.settings = settings,
              .run = run,
              .a = a,
              .params = score_params(settings, a.content.width()),
              .softmax = softmax_params(settings),
              .length = a.content.length(),
              .width = a.content.width(),
              .terms = 0,
              .largest = 0};
  const double log_n = asked.params.log_n ? std::max(1.0, asked.params.log_n->factor(asked.length)) : 1;
  asked.terms =
      scale_of(settings, asked.width) * log_n *
      a.meeting.merged([](const Vectors& v) -> Matrix { return v.q.cwiseAbs() * v.k.cwiseAbs().transpose(); })
          .maxCoeff();
  for (const Matrix* scores : {&a.free, &a.masked})
    for (const double s : scores->reshaped())
      if (std::isfinite(s)) asked.largest = std::max(asked.largest, std::abs(s));
  return asked;
}

/// What is shown against the formula itself: q·k over √d, as one product of matrices.
Check formula_check(const Asked& asked) {
  const double d = number(asked.width);
  const std::string& by = asked.settings.choice("scaled");
  const Matrix products = plain_products(asked.a.meeting);
  const Matrix formula = by == "none" ? products : by == "d" ? products / d : products / std::sqrt(d);
  return {by == "none" ? "a score is $q^T k$"
          : by == "d"  ? "a score is $q^T k / d$"
                       : "a score is $q^T k / \\sqrt{d}$",
          (asked.a.free - formula).cwiseAbs().maxCoeff(), asked.score_slack()};
}

/// The same where more is done to a product than one division, of what is seen.
Check steps_check(const Asked& asked) {
  const Matrix products = plain_products(asked.a.meeting);
  const double scale = scale_of(asked.settings, asked.width);
  const bool clipped = asked.settings.choice("log_n") == "clipped";
  Worst worst;
  double added = 0;
  for (Index m = 0; m < asked.length; ++m) {
    double keys = 0;
    for (Index n = 0; n < asked.length; ++n) keys += std::isfinite(asked.a.masked(m, n));
    double factor = scale;
    if (asked.params.log_n) {
      const double grown = std::log(keys) / std::log(asked.settings.real("trained_length"));
      factor *= clipped ? std::max(grown, 1.0) : grown;
    }
    for (Index n = 0; n < asked.length; ++n) {
      if (!std::isfinite(asked.a.masked(m, n))) continue;
      const double x = factor * products(m, n), bias = bias_by_formula(asked.settings, m, n);
      const auto cap = asked.settings.number("cap");
      worst.meet(std::abs(asked.a.masked(m, n) - ((cap ? *cap * std::tanh(x / *cap) : x) + bias)));
      added = std::max(added, std::abs(bias));
    }
  }
  // All twins are given the biases as floats; one is a sum of up to 64 cosines.
  return {"a score is what scale, log n, cap and bias make of $q^T k$, one after another", worst,
          asked.score_slack() + added * 0x1p-23};
}

Check cap_check(const Asked& asked, double cap) {
  double largest = 0;
  for (Index m = 0; m < asked.length; ++m)
    for (Index n = 0; n < asked.length; ++n)
      if (std::isfinite(asked.a.masked(m, n)))
        largest = std::max(
            largest, std::abs(asked.a.masked(m, n) - (asked.a.bias.size() > 0 ? asked.a.bias(m, n) : 0)));
  return {"before its bias no score is beyond the cap", largest, cap + asked.score_slack()};
}

/// Two weights of a row are as far apart as e to the power of their scores' difference over τ: beside the row's largest.
double off_the_largest(const Matrix& weights, const Matrix& scores, double temperature) {
  Worst worst;
  for (Index m = 0; m < weights.rows(); ++m) {
    Index top = 0;
    const double most = scores.row(m).maxCoeff(&top);
    for (Index n = 0; n < weights.cols(); ++n)
      worst.meet(std::abs(weights(m, n) - weights(m, top) * std::exp((scores(m, n) - most) / temperature)));
  }
  return worst;
}

/// Each weight may be off by rel of itself, so their sum by rel of 1; double loses 2^-53 per term.
double sum_bound(const Asked& asked) {
  const double length = number(asked.length);
  const tensor::Bound own = asked.softmax_own();
  return asked.on_reference() ? length * 0x1p-52 : own.rel + length * (own.abs + 0x1p-52);
}

/// Without a sink the weights alone; with one what e^z takes of the denominator, worked out from the scores.
Check sum_check(const Asked& asked) {
  const Matrix& weights = asked.a.weights;
  const auto given = asked.settings.number("sink");
  if (!given)
    return {"every row of weights sums to 1", (weights.rowwise().sum().array() - 1).abs().maxCoeff(),
            sum_bound(asked)};
  const double temperature = asked.settings.real("temperature");
  const double sink = static_cast<float>(*given);  // as all twins are given it
  Worst worst;
  for (Index m = 0; m < asked.length; ++m) {
    const double top = std::max(sink, asked.a.masked.row(m).maxCoeff());
    const double of_sink = std::exp((sink - top) / temperature);
    double all = of_sink;
    for (Index n = 0; n < asked.length; ++n) all += std::exp((asked.a.masked(m, n) - top) / temperature);
    worst.meet(std::abs(weights.row(m).sum() + of_sink / all - 1));
  }
  return {"with the sink's share every row of weights sums to 1", worst,
          sum_bound(asked) + number(asked.length + 8) * 0x1p-52};
}

double forbidden_weight(const Asked& asked) {
  double forbidden = 0;
  for (Index m = 0; m < asked.length; ++m)
    for (Index n = 0; n < asked.length; ++n)
      if (!asked.params.mask.allows(m, n, asked.length, asked.length))
        forbidden = std::max(forbidden, asked.a.weights(m, n));
  return forbidden;
}

/// A query and the first keys as they meet. With Self-Extend both of the query's turns stand in one row, and beside each key's
/// own turn zeros, so that one product is that of the turn which holds.
Vectors one_meeting(const Meeting& meeting, Index query, Index keys) {
  const Index width = meeting.near.q.cols();
  if (!meeting.splits()) return {meeting.near.q.row(query), meeting.near.k.topRows(keys)};
  Vectors both{Matrix(1, 2 * width), Matrix::Zero(keys, 2 * width)};
  both.q << meeting.near.q.row(query), meeting.far.q.row(query);
  for (Index n = 0; n < keys; ++n)
    both.k.row(n).segment(query - n >= meeting.window ? width : 0, width) = meeting.of(query, n).k.row(n);
  return both;
}

/// A query beside the last of the keys that it sees: as the op has it, in double and in one piece.
Check output_check(const Asked& asked, Index query) {
  const bool all = asked.params.mask.kind == Mask::Kind::none;
  const Index keys = all ? asked.length : query + 1;
  const Matrix v = asked.a.content.v.topRows(keys);
  const auto [q, k] = one_meeting(asked.a.meeting, query, keys);
  Matrix bias, o(1, v.cols());
  if (asked.a.bias.size() > 0) bias = asked.a.bias.row(query).leftCols(keys);
  attention::attention_ref(q, k, v, {asked.params, asked.softmax}, o, bias);
  // Scores off by δ change a weight by 2δ/τ of itself, the sum of all weights is 1, and a sink is in double.
  const double of_scores = std::expm1(2 * asked.score_slack() / asked.settings.real("temperature"));
  const double bound = (of_scores + 2 * sum_bound(asked) + number(keys) * 0x1p-52) * v.cwiseAbs().maxCoeff();
  return {"the framed query's output is that of attention in one piece",
          (o - asked.a.outputs.row(query)).cwiseAbs().maxCoeff(), bound};
}

/// Whether positions are vectors that are added.
bool adds_rows(const Settings& settings) {
  return settings.choice("positions") == "sinusoidal" || settings.choice("positions") == "learned";
}

constexpr Index rank_tokens = 32;

/// Of the first tokens, more than r: what is left of their products behind the r largest singular values.
Check rank_check(const Asked& asked) {
  const Index count = std::min(asked.length, rank_tokens), rank = asked.settings.integer("rank");
  const Matrix q = asked.a.content.q.topRows(count), k = asked.a.content.k.topRows(count);
  const Matrix products = q * k.transpose();
  const std::vector<double> values = singular_values(products);
  // Both factors are rounded to floats, an element by up to 2^-24 of itself; the product and its decomposition to doubles.
  return {"before positions $QK^T$ has no more than $r$ singular values above 0",
          values[static_cast<std::size_t>(rank)],
          (0x1.01p-23 + number(count + asked.width) * 0x1p-50) * q.norm() * k.norm()};
}

}  // namespace

std::vector<Check> score_checks(const Settings& settings, const Run& run, const Attention& a, Index query) {
  const Asked asked = asked_of(settings, run, a);
  const bool more = asked.params.log_n || asked.params.cap || a.bias.size() > 0;
  const double temperature = settings.real("temperature");
  const Matrix rounded_scores = twin::rounded(a.masked);
  Meeting met = a.meeting;
  for (Matrix* each : {&met.near.q, &met.near.k, &met.far.q, &met.far.k}) *each = twin::rounded(*each);

  // Each of these may take a while on the reference: a pause between them to ask whether anybody still wants it.
  run.check();
  const std::vector<Check> turned = position_checks(settings, run, asked.length, asked.width);
  run.progress(0.8);
  const Check equal_scores = named(
      "scores", twin::equals_reference(run, asked.score_bounds(), [&](const Run& each) {
        each.check();
        return met.merged([&](const Vectors& v) { return biased_scores(each, v, asked.params, a.bias); });
      }));
  run.progress(0.9);
  const Check equal_weights =
      named("softmax", twin::equals_reference(run, asked.softmax_bounds(), [&](const Run& each) {
              return twin::softmax(each, rounded_scores, asked.softmax);
            }));
  const tensor::Bound own = asked.softmax_own();
  std::vector<Check> all{
      sum_check(asked),
      {"what is masked has weight 0", forbidden_weight(asked), 0},
      // Both weights may be off by rel of themselves; the exponent is rounded twice, and so is the power.
      {"two weights of a row differ as $e^{(s_i - s_j)/\\tau}$",
       off_the_largest(a.weights, a.masked, temperature),
       (run.device == DeviceChoice::ref ? number(asked.length) * 0x1p-52 : 2 * own.rel + 2 * own.abs) +
           0x1p-50},
      more ? steps_check(asked) : formula_check(asked),
      output_check(asked, query)};
  if (asked.params.cap) all.push_back(cap_check(asked, *asked.params.cap));
  if (settings.choice("content") == "low_rank" && !adds_rows(settings) &&
      settings.integer("rank") < std::min(asked.length, rank_tokens))
    all.push_back(rank_check(asked));
  all.insert(all.end(), turned.begin(), turned.end());
  all.insert(all.end(), {equal_scores, equal_weights});
  return all;
}

}  // namespace orrery::study::attention_scores
