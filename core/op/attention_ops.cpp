// Scores and softmax. Leading axes of q and k (batch, heads) are groups, each with scores of its own.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/attention/scores_vjp.h"
#include "core/attention/softmax_vjp.h"
#include "core/op/adapters.h"
#include "core/op/attention_operands.h"
#include "core/op/gradient.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

struct ScoresInputs {
  const Array &q, &k;
  Heads heads;

  explicit ScoresInputs(const Call& call)
      : q(input_with_axes(call, "q", 2, "… × T × d")),
        k(input_with_axes(call, "k", 2, "… × S × d")),
        heads(heads_of(q, k, false)) {
    require_few_scores(heads);
  }
};

template <class T>
Work scores(const Call& call, auto twin) {
  const ScoresInputs in(call);
  const Heads h = in.heads;
  const attention::ScoresParams params = scores_params(call.settings);
  const auto q = kept<T>(in.q), k = kept<T>(in.k), s = room<T>(h.count * h.queries, h.keys);
  const auto run = [=, bias = Bias<T>(call, h), padding = Padding(call, h), documents = Documents(call, h)] {
    attention::ScoresParams of_group = params;
    for (Index i = 0; i < h.count; ++i) {
      of_group.padding = padding.of(i);
      of_group.mask.documents = documents.of(i);
      twin(View<const T>(stacked(*q, i, h.queries)), View<const T>(stacked(*k, i, h.keys)), of_group,
           stacked(*s, i, h.queries), bias.of(i));
    }
  };
  return Work(s, h.with(h.queries, h.keys), run, q, k);
}

/// The scores, and how many rows of them belong to one matrix: a mask begins anew with every T × S, and heads have sinks of
/// their own; without either, all rows are alike.
class SoftmaxInput {
 public:
  explicit SoftmaxInput(const Call& call)
      : x(input_with_axes(call, "x", 1, "… × S")),
        mask(mask_of(call.settings)),
        masked(!mask.shows_all() || call.find("document_id") != nullptr),
        sinks(call, x.shape.size() < 3 ? std::vector<Index>{} : leading_axes(x)),
        heads(heads_of(call, x, masked, sinks.count() > 1)),
        lse_wanted(call.settings.choice("output") == "lse"),
        documents_(call, heads),
        temperature_(call.settings.real("temperature")) {}

  attention::SoftmaxParams params(Index group) const {
    attention::SoftmaxParams p{.temperature = temperature_, .sink = sinks.of(group), .mask = mask};
    p.mask.documents = documents_.of(group);
    return p;
  }

  std::vector<Index> result_shape() const {
    std::vector<Index> shape = x.shape;
    if (lse_wanted) shape.pop_back();
    return shape;
  }

  const Array& x;
  attention::Mask mask;
  bool masked;
  Sinks sinks;
  Heads heads;
  bool lse_wanted;

 private:
  static std::vector<Index> leading_axes(const Array& x) { return {x.shape.begin(), x.shape.end() - 2}; }
  static Heads heads_of(const Call& call, const Array& x, bool masked, bool sinks) {
    if (!masked && !sinks) return {.queries = x.rows(), .keys = x.cols()};
    input_with_axes(call, "x", 2, "… × T × S");
    Heads heads{.queries = x.shape[x.shape.size() - 2], .keys = x.cols(), .leading = leading_axes(x)};
    for (const Index axis : heads.leading) heads.count *= axis;
    return heads;
  }

  Documents documents_;
  double temperature_;
};

template <class T>
Work softmax(const Call& call, auto weights, auto lse) {
  const auto s = std::make_shared<SoftmaxInput>(call);
  const auto in = kept<T>(s->x), out = room<T>(in->rows(), s->lse_wanted ? 1 : in->cols());
  const auto run = [=] {
    for (Index i = 0; i < s->heads.count; ++i) {
      const View<const T> x = stacked(std::as_const(*in), i, s->heads.queries);
      const View<T> y = stacked(*out, i, s->heads.queries);
      s->lse_wanted ? lse(x, s->params(i), y) : weights(x, s->params(i), y);
    }
  };
  return Work(out, s->result_shape(), run, in);
}

}  // namespace

Work Scores::ref(const Call& call) {
  return scores<double>(call, attention::scores_ref);
}

Work Scores::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return scores<T>(call, attention::scores_cpu<T>); });
}

Work Scores::gpu(const Call& call) {
  return scores<float>(call, on_device(call, attention::scores_gpu));
}

Work Scores::staged(const Call& call) {
  return scores<double>(call,
                        [precision = call.precision](auto q, auto k, const auto& params, auto s, auto bias) {
                          attention::scores_staged(q, k, params, precision, s, bias);
                        });
}

Gradients Scores::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    const ScoresInputs in(call);
    const Heads& h = in.heads;
    require_gradient_shape(gradient, h.with(h.queries, h.keys));
    attention::ScoresParams params = scores_params(call.settings);
    const Padding padding(call, h);
    const Documents documents(call, h);
    const Bias<T> bias(call, h);  // its shape is checked; its values do not matter
    const bool biased = call.find("bias") != nullptr;
    const Matrix<T> q = matrix_of<T>(in.q), k = matrix_of<T>(in.k), g = matrix_of<T>(gradient);
    Matrix<T> dq(q.rows(), q.cols()), dk(k.rows(), k.cols());
    Matrix<T> one_bias(biased ? h.queries : 0, biased ? h.keys : 0);
    GradientOfBias dbias(call, h);
    for (Index i = 0; i < h.count; ++i) {
      params.padding = padding.of(i);
      params.mask.documents = documents.of(i);
      attention::scores_vjp<T>(stacked(q, i, h.queries), stacked(k, i, h.keys), params,
                               stacked(g, i, h.queries), stacked(dq, i, h.queries), stacked(dk, i, h.keys),
                               one_bias);
      dbias.add(i, one_bias);
    }
    Gradients result{{"q", array_of(dq, in.q.shape)}, {"k", array_of(dk, in.k.shape)}};
    dbias.keep(result, tensor::format_of<T>);
    return result;
  });
}

Bounds Scores::bounds(const Call& call) {
  const Index d = call.input("q").cols();
  return {attention::scores_bound(d), {.abs = 0x1p-126, .rel = attention::scores_gpu_bound(d)}};
}

Array Scores::magnitude(const Call& call) {
  Call uncapped = call;
  uncapped.settings.set("cap", 0.0);  // it shrinks, so it only ever lessens an error
  return magnitude_of_absolutes(std::move(uncapped), ref);
}

double Scores::flops(const Call& call) {
  const ScoresInputs in(call);
  return 2 * seen(scores_params(call.settings).mask, in.heads) * static_cast<double>(in.heads.width);
}

Work Softmax::ref(const Call& call) {
  return softmax<double>(call, attention::softmax_ref, attention::softmax_lse_ref);
}

Work Softmax::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) {
    return softmax<T>(call, attention::softmax_cpu<T>, attention::softmax_lse_cpu<T>);
  });
}

Work Softmax::gpu(const Call& call) {
  return softmax<float>(call, on_device(call, attention::softmax_gpu),
                        on_device(call, attention::softmax_lse_gpu));
}

Work Softmax::staged(const Call& call) {
  const auto stages = softmax_stages(call.settings);
  return softmax<double>(
      call,
      [stages, precision = call.precision](auto x, const auto& params, auto y) {
        attention::softmax_staged(x, params, precision, stages, y);
      },
      [stages, precision = call.precision](auto x, const auto& params, auto lse) {
        attention::softmax_lse_staged(x, params, precision, stages, lse);
      });
}

Gradients Softmax::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    const SoftmaxInput in(call);
    require_gradient_shape(gradient, in.result_shape());
    const Matrix<double> x = matrix_of<double>(in.x),
                         g = matrix_of<double>(gradient).reshaped<Eigen::RowMajor>(
                             x.rows(), in.lse_wanted ? 1 : x.cols());
    Matrix<double> dx(x.rows(), x.cols());
    std::vector<double> by_sink(in.sinks.count(), 0);
    for (Index i = 0; i < in.heads.count; ++i) {
      const attention::SoftmaxParams params = in.params(i);
      const auto of_group = [&](auto& m) { return stacked(m, i, in.heads.queries); };
      const View<const double> own = of_group(x), own_g = of_group(g);
      const View<double> weights = of_group(dx);
      attention::softmax_cpu<double>(own, params, weights);
      if (params.sink) {
        const auto of_sink = attention::softmax_sink_weights(own, params);
        in.sinks.add(by_sink, i,
                     in.lse_wanted
                         ? attention::softmax_lse_sink_vjp(of_sink, params.temperature, own_g)
                         : attention::softmax_sink_vjp(weights, of_sink, params.temperature, own_g));
      }
      if (in.lse_wanted)
        attention::softmax_lse_vjp_of_weights(weights, params.temperature, own_g, weights);
      else
        attention::softmax_vjp_of_weights<double>(weights, params.temperature, own_g, weights);
    }
    Gradients result{{"x", array_of<T>(dx.template cast<T>(), in.x.shape)}};
    in.sinks.keep(result, by_sink, tensor::format_of<T>);
    return result;
  });
}

/// What the mask hides is not looked at.
double Softmax::reads(const Call& call) {
  const SoftmaxInput s(call);
  return s.masked ? seen(s.mask, s.heads) : static_cast<double>(s.x.size());
}

Bounds Softmax::bounds(const Call& call) {
  const SoftmaxInput s(call);
  const Index keys = s.x.cols();
  if (!s.lse_wanted) return {attention::softmax_bound(keys), attention::softmax_gpu_bound};
  const double temperature = call.settings.real("temperature");
  double largest = 0;
  for (const double v : s.x.values)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v) / temperature);
  for (Index i = 0; i < s.heads.count; ++i)
    largest = std::max(largest, std::abs(s.sinks.of(i).value_or(0)) / temperature);
  Bounds bounds{attention::softmax_lse_bound(keys, largest), attention::softmax_lse_gpu_bound(keys, largest)};
  bounds.cpu_in_double = {.abs = bounds.cpu.abs, .rel = double_bound.rel, .nmse = 1};
  return bounds;
}

}  // namespace orrery::op
