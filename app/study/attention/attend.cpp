#include "app/study/attention/attend.h"

#include <cmath>
#include <vector>

#include "app/study/attention/score_bias.h"
#include "app/study/rope/rules.h"
#include "core/position/xpos.h"
#include "core/tensor/error.h"

namespace orrery::study::attention_scores {

using attention::Mask;
using attention::ScoresParams;
using parameter::Settings;
using position::RopeLayout;
using position::RopeTable;
using tensor::Index;
using twin::Matrix;

namespace {

/// Where each token of a text stands for queries or keys that meet W tokens apart and more.
std::vector<double> far_positions(Index length, const position::SelfExtendParams& params,
                                  position::ScoreSide side) {
  std::vector<double> positions;
  for (Index m = 0; m < length; ++m)
    positions.push_back(position::self_extend_position(static_cast<double>(m), params, side));
  return positions;
}

/// Scores of all keys, each row scaled as the keys that its query sees have it.
Matrix unmasked_scores(const Run& run, const Vectors& asked, const Matrix& bias, ScoresParams params) {
  Vectors v = asked;
  if (params.log_n) {
    const Index T = v.q.rows();
    for (Index m = 0; m < T; ++m) v.q.row(m) *= params.log_n->factor(params.seen(m, T, T));
    v.q = twin::rounded(v.q);
    params.log_n = {};
  }
  params.mask = {};
  return biased_scores(run, v, params, bias);
}

}  // namespace

Mask mask_of(const Settings& settings) {
  const std::string& name = settings.choice("mask");
  if (name == "none") return {};
  if (name == "causal") return {.kind = Mask::Kind::causal};
  return {.kind = Mask::Kind::sliding, .window = settings.integer("window")};
}

double scale_of(const Settings& settings, Index width) {
  const std::string& by = settings.choice("scaled");
  const auto d = static_cast<double>(width);
  return by == "none" ? 1 : by == "d" ? 1 / d : 1 / std::sqrt(d);
}

ScoresParams score_params(const Settings& settings, Index width) {
  ScoresParams params{
      .scale = scale_of(settings, width), .mask = mask_of(settings), .cap = settings.number("cap")};
  if (const std::string& by = settings.choice("log_n"); by != "off")
    params.log_n = {.trained = settings.real("trained_length"), .clipped = by == "clipped"};
  return params;
}

attention::SoftmaxParams softmax_params(const Settings& settings) {
  attention::SoftmaxParams params{.temperature = settings.real("temperature")};
  if (const auto sink = settings.number("sink")) params.sink = static_cast<float>(*sink);
  return params;
}

bool turns(const Settings& settings) {
  const std::string& scheme = settings.choice("positions");
  return scheme == "xpos" || scheme == "self_extend" || (scheme == "rope" && settings.toggle("rope"));
}

position::SelfExtendParams self_extend_of(const Settings& settings) {
  const Index group = settings.integer("group"), near = settings.integer("near");
  return {.group = group, .window = (near + group - 1) / group * group};
}

position::RopeFrequencies frequencies_of(const Settings& settings, Index width) {
  const Stretch stretch{.head_width = width,
                        .base = settings.real("base"),
                        .trained = settings.real("original"),
                        .factor = settings.real("factor")};
  const std::string rule = settings.choice("positions") == "rope" ? settings.choice("rule") : "none";
  const bool grows_the_base = rule == "ntk" || rule == "dynamic" || rule == "dynamic_paper";
  if (grows_the_base && width < 4) {
    throw InvalidArgument(about("head_width")
                              .found(width)
                              .fault("{}", width)
                              .allowed("{} or more for rule {}, whose exponent is d/(d − 2)", 4, rule));
  }
  return stretched_rule(rule, stretch).rope;
}

Vectors turned(const Run& run, const Vectors& content, const Settings& settings) {
  std::vector<double> positions;
  for (Index m = 0; m < content.q.rows(); ++m) positions.push_back(static_cast<double>(m));
  const position::RopeFrequencies rope = frequencies_of(settings, content.q.cols());
  const RopeTable plain = position::rope_table(positions, rope.inv_freq, rope.attention_factor);
  const auto table = [&](position::ScoreSide side) {
    RopeTable of_side = plain;
    if (settings.choice("positions") == "xpos") position::apply_xpos(of_side, positions, {}, side);
    return of_side;
  };
  return {twin::rope(run, content.q, table(position::ScoreSide::query), RopeLayout::half),
          twin::rope(run, content.k, table(position::ScoreSide::key), RopeLayout::half)};
}

Meeting meeting_of(const Settings& settings, const Run& run, const ScoreContent& content) {
  const Vectors plain{content.q, content.k};
  if (!turns(settings)) return {plain, {}};
  Meeting meeting{turned(run, plain, settings), {}};
  if (settings.choice("positions") != "self_extend") return meeting;
  const position::SelfExtendParams params = self_extend_of(settings);
  const position::RopeFrequencies rope = frequencies_of(settings, content.width());
  const auto far = [&](const Matrix& x, position::ScoreSide side) {
    const std::vector<double> positions = far_positions(content.length(), params, side);
    return twin::rope(run, x, position::rope_table(positions, rope.inv_freq), RopeLayout::half);
  };
  meeting.far = {far(content.q, position::ScoreSide::query), far(content.k, position::ScoreSide::key)};
  meeting.window = params.window;
  return meeting;
}

Matrix biased_scores(const Run& run, const Vectors& v, const ScoresParams& params, const Matrix& bias) {
  if (bias.size() == 0) return twin::scores(run, v.q, v.k, params);
  if (run.device == DeviceChoice::ref) {
    Matrix s(v.q.rows(), v.k.rows());
    attention::scores_ref(v.q, v.k, params, s, bias);
    return s;
  }
  using Floats = tensor::Matrix<float>;
  const Floats q = v.q.cast<float>(), k = v.k.cast<float>(), added = bias.cast<float>();
  Floats s(q.rows(), k.rows());
  if (run.device == DeviceChoice::gpu)
    attention::scores_gpu(run.gpu(), q, k, params, s, added);
  else
    attention::scores_cpu<float>(q, k, params, s, added);
  return s.cast<double>();
}

Attention attend(const Settings& settings, const Run& run) {
  Attention a{.content = content_of(settings, run),
              .meeting = {},
              .bias = {},
              .products = {},
              .free = {},
              .masked = {},
              .weights = {},
              .outputs = {}};
  a.meeting = meeting_of(settings, run, a.content);
  a.bias = score_bias(settings, a.content.length());
  run.progress(0.1);
  const ScoresParams params = score_params(settings, a.content.width());
  a.products = a.meeting.merged(
      [&](const Vectors& v) { return twin::scores(run, v.q, v.k, {.scale = 1, .mask = {}}); });
  run.progress(0.2);
  a.free = a.meeting.merged([&](const Vectors& v) { return unmasked_scores(run, v, a.bias, params); });
  run.progress(0.4);
  a.masked = a.meeting.merged([&](const Vectors& v) { return biased_scores(run, v, params, a.bias); });
  run.progress(0.5);
  a.weights = twin::softmax(run, a.masked, softmax_params(settings));
  a.outputs = a.weights * a.content.v;
  run.progress(0.6);
  return a;
}

}  // namespace orrery::study::attention_scores
