// Scores and softmax. Leading axes of q and k (batch, heads) are groups, each with scores of its own.
#include <algorithm>

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
  const auto run = [=, bias = Bias<T>(call, h), padding = Padding(call, h)] {
    attention::ScoresParams of_group = params;
    for (Index i = 0; i < h.count; ++i) {
      of_group.padding = padding.of(i);
      twin(View<const T>(stacked(*q, i, h.queries)), View<const T>(stacked(*k, i, h.keys)), of_group,
           stacked(*s, i, h.queries), bias.of(i));
    }
  };
  return Work(s, h.with(h.queries, h.keys), run, q, k);
}

attention::SoftmaxParams softmax_params(const parameter::Settings& s) {
  return {.temperature = s.real("temperature"), .sink = s.number("sink"), .mask = mask_of(s)};
}

/// The scores, and how many rows of them belong to one matrix: a mask begins anew with every T × S; without one, all
/// rows are alike.
struct SoftmaxInput {
  attention::SoftmaxParams params;
  bool masked;
  const Array& x;
  Index queries;

  explicit SoftmaxInput(const Call& call)
      : params(softmax_params(call.settings)),
        masked(params.mask.kind != attention::Mask::Kind::none),
        x(masked ? input_with_axes(call, "x", 2, "… × T × S") : input_with_axes(call, "x", 1, "… × S")),
        queries(masked ? x.shape[x.shape.size() - 2] : x.rows()) {}
};

template <class T>
Work softmax(const Call& call, auto twin) {
  const SoftmaxInput s(call);
  const auto in = kept<T>(s.x), out = room<T>(in->rows(), in->cols());
  const auto run = [=, params = s.params, queries = s.queries] {
    for (Index i = 0; i * queries < in->rows(); ++i)
      twin(View<const T>(stacked(*in, i, queries)), params, stacked(*out, i, queries));
  };
  return Work(out, s.x.shape, run, in);
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
    const Bias<T> bias(call, h);  // its shape is checked; its values do not matter
    const bool biased = call.find("bias") != nullptr;
    const Matrix<T> q = matrix_of<T>(in.q), k = matrix_of<T>(in.k), g = matrix_of<T>(gradient);
    Matrix<T> dq(q.rows(), q.cols()), dk(k.rows(), k.cols());
    Matrix<T> one_bias(biased ? h.queries : 0, biased ? h.keys : 0);
    GradientOfBias dbias(call, h);
    for (Index i = 0; i < h.count; ++i) {
      params.padding = padding.of(i);
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
  return softmax<double>(call, attention::softmax_ref);
}

Work Softmax::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return softmax<T>(call, attention::softmax_cpu<T>); });
}

Work Softmax::gpu(const Call& call) {
  return softmax<float>(call, on_device(call, attention::softmax_gpu));
}

Work Softmax::staged(const Call& call) {
  return softmax<double>(call, [precision = call.precision, stages = softmax_stages(call.settings)](
                                   auto x, const auto& params, auto y) {
    attention::softmax_staged(x, params, precision, stages, y);
  });
}

Gradients Softmax::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    require_gradient_shape(gradient, call.input("x").shape);
    const Matrix<T> g = matrix_of<T>(gradient);
    const Matrix<double> wide = matrix_of<double>(gradient);
    Index group = 0;
    Gradients result;
    result.emplace("x", softmax<T>(call, [&](auto x, const auto& params, auto dx) {
                          attention::softmax_vjp<T>(x, params, stacked(g, group++, x.rows), dx);
                        }).done());
    if (call.settings.number("sink")) {
      double by_sink = 0;
      group = 0;
      softmax<double>(call, [&](auto x, const auto& params, auto y) {
        attention::softmax_cpu<double>(x, params, y);
        by_sink += attention::softmax_sink_vjp(y, attention::softmax_sink_weights(x, params),
                                               params.temperature, stacked(wide, group++, x.rows));
      }).done();
      keep_sink(result, {by_sink}, tensor::format_of<T>);
    }
    return result;
  });
}

/// What the mask hides is not looked at.
double Softmax::reads(const Call& call) {
  const SoftmaxInput s(call);
  if (!s.masked) return static_cast<double>(s.x.size());
  return seen(
      s.params.mask,
      {.count = s.x.rows() / std::max<Index>(s.queries, 1), .queries = s.queries, .keys = s.x.cols()});
}

Bounds Softmax::bounds(const Call& call) {
  return {attention::softmax_bound(call.input("x").cols()), attention::softmax_gpu_bound};
}

}  // namespace orrery::op
