// Attention as a whole: scores, softmax and values, head by head. Query heads may share keys and values.
#include <cmath>
#include <string>

#include "core/attention/attention_vjp.h"
#include "core/op/adapters.h"
#include "core/op/attention_operands.h"
#include "core/op/gradient.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// The arrays of a call, checked, and what each head reads of them.
template <class T>
class AttentionInputs {
 public:
  explicit AttentionInputs(const Call& call)
      : q_array(input_with_axes(call, "q", 2, "… × T × d")),
        k_array(input_with_axes(call, "k", 2, "… × S × d")),
        v_array(input_with_axes(call, "v", 2, "… × S × d")),
        heads(heads_of(q_array, k_array, true)),
        output(call.settings.choice("output")),
        bias(call, heads),
        q(matrix_of<T>(q_array)),
        k(matrix_of<T>(k_array)),
        v(matrix_of<T>(v_array)),
        padding_(call, heads),
        documents_(call, heads),
        sinks_(call, heads.leading) {
    std::vector<Index> allowed = k_array.shape;
    allowed.back() = v_array.cols();
    if (v_array.shape != allowed) {
      throw InvalidArgument(
          wrong_shape("v", v_array)
              .allowed("{}, as k is {}", tensor::shape_text(allowed), tensor::shape_text(k_array.shape)));
    }
    if (output == "weights") require_few_scores(heads);
    params_.scores = scores_params(call.settings);
    params_.softmax.temperature = call.settings.real("temperature");
  }

  Index result_width() const { return output == "lse" ? 1 : output == "weights" ? heads.keys : v.cols(); }
  std::vector<Index> result_shape() const {
    std::vector<Index> shape = heads.with(heads.queries, result_width());
    if (output == "lse") shape.pop_back();
    return shape;
  }

  attention::AttentionParams params(Index head) const {
    attention::AttentionParams p = params_;
    p.scores.padding = padding_.of(head);
    p.scores.mask.documents = documents_.of(head);
    p.softmax.sink = sinks_.of(head);
    return p;
  }
  const Sinks& sinks() const { return sinks_; }
  /// Groups of neighbours share keys: within one batch entry this is key_value_head(), and entries follow each other.
  Index shared(Index head) const {
    return attention::key_value_head(head, heads.count, heads.count / heads.sharing);
  }
  View<const T> queries(Index head) const { return stacked(q, head, heads.queries); }
  View<const T> keys(Index head) const { return stacked(k, shared(head), heads.keys); }
  View<const T> values(Index head) const { return stacked(v, shared(head), heads.keys); }

  const Array &q_array, &k_array, &v_array;
  Heads heads;
  std::string output;  ///< values, weights or lse
  Bias<T> bias;
  Matrix<T> q, k, v;

 private:
  attention::AttentionParams params_;
  Padding padding_;
  Documents documents_;
  Sinks sinks_;
};

template <class T>
Work attend(const Call& call, auto weights, auto values, auto lse) {
  const auto in = std::make_shared<AttentionInputs<T>>(call);
  const auto result = room<T>(in->heads.count * in->heads.queries, in->result_width());
  const auto run = [=] {
    for (Index h = 0; h < in->heads.count; ++h) {
      const attention::AttentionParams params = in->params(h);
      const View<T> own = stacked(*result, h, in->heads.queries);
      if (in->output == "weights")
        weights(in->queries(h), in->keys(h), params, own, in->bias.of(h));
      else if (in->output == "lse")
        lse(in->queries(h), in->keys(h), params, own, in->bias.of(h));
      else
        values(in->queries(h), in->keys(h), in->values(h), params, own, in->bias.of(h));
    }
  };
  const auto part = [&in](Matrix<T>& m) { return std::shared_ptr<Matrix<T>>(in, &m); };
  return Work(result, in->result_shape(), run, part(in->q), part(in->k), part(in->v));
}

/// Adds a head's gradient to that of the keys or values that it shares.
template <class T>
void add(const Matrix<T>& from, View<double> to) {
  to.eigen() += from.template cast<double>();
}

}  // namespace

Work Attention::ref(const Call& call) {
  return attend<double>(call, attention::attention_weights_ref, attention::attention_ref,
                        attention::attention_lse_ref);
}

Work Attention::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) {
    return attend<T>(call, attention::attention_weights_cpu<T>, attention::attention_cpu<T>,
                     attention::attention_lse_cpu<T>);
  });
}

Work Attention::gpu(const Call& call) {
  return attend<float>(call, on_device(call, attention::attention_weights_gpu),
                       on_device(call, attention::attention_gpu),
                       on_device(call, attention::attention_lse_gpu));
}

Work Attention::staged(const Call& call) {
  const auto stages = softmax_stages(call.settings);
  return attend<double>(
      call,
      [=, precision = call.precision](auto q, auto k, const auto& params, auto p, auto bias) {
        attention::attention_weights_staged(q, k, params, precision, stages, p, bias);
      },
      [=, precision = call.precision](auto q, auto k, auto v, const auto& params, auto o, auto bias) {
        attention::attention_staged(q, k, v, params, precision, stages, o, bias);
      },
      [=, precision = call.precision](auto q, auto k, const auto& params, auto lse, auto bias) {
        attention::attention_lse_staged(q, k, params, precision, stages, lse, bias);
      });
}

Gradients Attention::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    const AttentionInputs<T> in(call);
    const Heads& h = in.heads;
    require_gradient_shape(gradient, in.result_shape());
    const Matrix<T> g =
        matrix_of<T>(gradient).template reshaped<Eigen::RowMajor>(h.count * h.queries, in.result_width());
    const bool biased = call.find("bias") != nullptr;
    GradientOfBias dbias(call, h);
    Matrix<T> dq(in.q.rows(), in.q.cols()), one_dk(h.keys, h.width), one_dv(h.keys, in.v.cols()),
        one_bias(biased ? h.queries : 0, biased ? h.keys : 0);
    Matrix<double> dk = Matrix<double>::Zero(in.k.rows(), in.k.cols()),
                   dv = Matrix<double>::Zero(in.v.rows(), in.v.cols());
    std::vector<double> dsink(in.sinks().count(), 0);
    for (Index i = 0; i < h.count; ++i) {
      double one_sink = 0;
      const attention::AttentionGradients<T> to{stacked(dq, i, h.queries), one_dk, one_dv, one_bias,
                                                dsink.empty() ? nullptr : &one_sink};
      if (in.output == "weights") {
        attention::attention_weights_vjp<T>(in.queries(i), in.keys(i), in.params(i), in.bias.of(i),
                                            stacked(g, i, h.queries), to);
      } else if (in.output == "lse") {
        attention::attention_lse_vjp<T>(in.queries(i), in.keys(i), in.params(i), in.bias.of(i),
                                        stacked(g, i, h.queries), to);
      } else {
        attention::attention_vjp<T>(in.queries(i), in.keys(i), in.values(i), in.params(i), in.bias.of(i),
                                    stacked(g, i, h.queries), to);
        add(one_dv, stacked(dv, in.shared(i), h.keys));
      }
      add(one_dk, stacked(dk, in.shared(i), h.keys));
      dbias.add(i, one_bias);
      if (!dsink.empty()) in.sinks().add(dsink, i, one_sink);
    }
    Gradients result{{"q", array_of(dq, in.q_array.shape)},
                     {"k", array_of<T>(dk.template cast<T>(), in.k_array.shape)},
                     {"v", array_of<T>(dv.template cast<T>(), in.v_array.shape)}};
    dbias.keep(result, tensor::format_of<T>);
    in.sinks().keep(result, dsink, tensor::format_of<T>);
    return result;
  });
}

double Attention::reads(const Call& call) {
  const bool values = call.settings.choice("output") == "values";
  return static_cast<double>(call.input("q").size() + call.input("k").size() +
                             (values ? call.input("v").size() : 0));
}

double Attention::flops(const Call& call) {
  const AttentionInputs<float> in(call);
  const Index width = in.heads.width + (in.output == "values" ? in.v.cols() : 0);
  return 2 * seen(scores_params(call.settings).mask, in.heads) * static_cast<double>(width);
}

Bounds Attention::bounds(const Call& call) {
  AttentionInputs<float> in(call);
  // Rows that hold a NaN or an infinity agree or do not; the bound is about the others.
  const auto finite_or_zero = [](float x) { return std::isfinite(x) ? x : 0; };
  in.q = in.q.unaryExpr(finite_or_zero).eval();
  in.k = in.k.unaryExpr(finite_or_zero).eval();
  const Array* bias = call.find("bias");
  const bool f32 = call.compute == tensor::Format::f32;
  double logit = 0, value = 0;
  bool in_float = false;
  for (Index i = 0; i < in.heads.count; ++i) {
    const attention::AttentionParams params = in.params(i);
    double largest = attention::largest_logit(in.queries(i), in.keys(i), params);
    in_float = in_float || (f32 && attention::attention_in_float(params, largest, bias != nullptr));
    if (bias != nullptr) largest += in.bias.of(i).eigen().cwiseAbs().maxCoeff() / params.softmax.temperature;
    logit = std::max(logit, largest + std::abs(params.softmax.sink.value_or(0)) / params.softmax.temperature);
  }
  for (const double v : in.v_array.values)
    if (std::isfinite(v)) value = std::max(value, std::abs(v));
  const Index d = in.heads.width, keys = in.heads.keys;
  if (in.output == "lse") {
    Bounds bounds{attention::attention_lse_bound(logit, d, keys),
                  attention::attention_lse_gpu_bound(logit, d, keys)};
    bounds.cpu_in_double = {.abs = bounds.cpu.abs, .rel = double_bound.rel, .nmse = 1};
    return bounds;
  }
  Bounds bounds = in.output == "weights" ? Bounds{attention::attention_bound(logit, d, keys, in_float),
                                                  attention::attention_gpu_bound(logit, d)}
                                         : Bounds{attention::attention_bound(logit, d, keys, in_float, value),
                                                  attention::attention_gpu_bound(logit, d, keys, value)};
  // The softmax multiplies the relative error of a logit by the logit: the bound of the arithmetic knows how large it is.
  // The elements are held one by one.
  bounds.cpu_in_double = {.abs = bounds.cpu.abs, .rel = bounds.cpu.rel, .nmse = 1, .row = double_bound.row};
  return bounds;
}

}  // namespace orrery::op
