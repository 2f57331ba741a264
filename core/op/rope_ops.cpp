// Rotary positions: where the tokens stand, the table that turns their pairs, and the twins.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/op/adapters.h"
#include "core/op/gradient.h"
#include "core/op/operands.h"
#include "core/op/rope_settings.h"
#include "core/position/rope_staged.h"
#include "core/position/rope_vjp.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// One position for each token, or one for each of its axes: as they were given, or 0, 1, 2 …; offset added.
Matrix<double> given_positions(const Call& call, Index tokens) {
  const double offset = call.settings.real("offset");
  const Array* given = call.find("positions");
  if (given == nullptr) {
    Matrix<double> positions(1, tokens);
    std::iota(positions.data(), positions.data() + tokens, 0.0);
    positions.array() += offset;
    return positions;
  }
  const bool fits = (given->shape.size() == 1 || given->shape.size() == 2) && given->shape.back() == tokens;
  if (!fits) {
    throw InvalidArgument(wrong_shape("positions", *given).allowed("{}, one for each token of x", tokens));
  }
  if (!std::ranges::all_of(given->values, [](double m) { return std::isfinite(m); })) {
    throw InvalidArgument(about(Subject::Kind::input, "positions")
                              .fault("found a value that is not finite")
                              .allowed("finite numbers, in tokens"));
  }
  Matrix<double> positions = given->matrix();
  positions.array() += offset;
  return positions;
}

/// A text stands at the same place on every axis.
Matrix<double> on_every_axis(Matrix<double> positions, int axes) {
  if (positions.rows() == axes) return positions;
  if (positions.rows() == 1) return positions.replicate(axes, 1);
  throw InvalidArgument(about(Subject::Kind::input, "positions")
                            .found(positions.rows())
                            .fault("found {} axes", positions.rows())
                            .allowed(axes == 1 ? words("one, or as many as mrope_section has numbers")
                                               : words("1 or {}, as mrope_section has numbers", axes)));
}

/// Who turns by how much.
struct Turning {
  Matrix<double> positions;  ///< axes × T
  RopeRotation rotation;
};

Turning turning_of(const Call& call, const Array& x) {
  const parameter::Settings& s = call.settings;
  Matrix<double> positions = given_positions(call, *(x.shape.end() - 2));
  // Rules that change with the length of the text go by the last position in it, as Hugging Face does.
  const double length = positions.size() == 0 ? 1 : std::max(1.0, positions.maxCoeff() + 1);
  RopeRotation rotation = rope_rotation(call, x.cols(), length);
  positions = on_every_axis(std::move(positions), rotation.axes);
  const position::SelfExtendParams extend = self_extend_params(s);
  check_self_extend(extend);
  if (extend.group > 1) {
    for (double& m : positions.reshaped()) m = self_extend_position(m, extend, score_side(s));
  }
  return {std::move(positions), std::move(rotation)};
}

/// xPos goes by one number a token, the first axis's.
void apply_xpos_if_asked(const parameter::Settings& s, const Matrix<double>& positions,
                         position::RopeTable& table) {
  if (!s.toggle("xpos")) return;
  const std::span<const double> first(positions.data(), static_cast<std::size_t>(positions.cols()));
  apply_xpos(table, first, xpos_params(s), score_side(s));
}

/// x, its table and its layout.
struct RopeOperands {
  const Array& x;
  position::RopeTable table;
  position::RopeLayout layout;
  Index first;  ///< column that turns
};

RopeOperands rope_operands(const Call& call) {
  const Array& x = input_with_axes(call, "x", 2, "… × T × d");
  const Turning t = turning_of(call, x);
  position::RopeTable table = position::rope_table(t.positions, t.rotation.axis_of_pair, t.rotation.inv_freq,
                                                   t.rotation.attention_factor);
  apply_xpos_if_asked(call.settings, t.positions, table);
  return {x, std::move(table), t.rotation.layout, t.rotation.first};
}

/// The fast twins take the table in their own scalar; ref takes it as it is.
template <class T>
Work rope(const RopeOperands& operands, const Array& turned, auto twin, bool in_place = false) {
  const auto in = kept<T>(turned), out = in_place ? kept<T>(turned) : room<T>(in->rows(), in->cols());
  const Matrix<T> cos = operands.table.cos.template cast<T>(), sin = operands.table.sin.template cast<T>();
  const position::RopeLayout layout = operands.layout;
  const Index first = operands.first;
  const auto run = [=] {
    twin(View<const T>(in_place ? *out : *in), View<const T>(cos), View<const T>(sin), layout, View<T>(*out),
         first);
  };
  return Work(out, turned.shape, run, in);
}

template <class T>
Work rope(const Call& call, auto twin) {
  const RopeOperands operands = rope_operands(call);
  return rope<T>(operands, operands.x, twin, call.in_place);
}

position::RopeStage low_stage(const parameter::Settings& s) {
  using position::RopeStage;
  const std::string& stage = s.choice("stage");
  return stage == "rotation"       ? RopeStage::rotation
         : stage == "table"        ? RopeStage::table
         : stage == "angle"        ? RopeStage::angle
         : stage == "frequencies"  ? RopeStage::frequencies
         : stage == "positions"    ? RopeStage::positions
         : stage == "hugging_face" ? RopeStage::hugging_face
                                   : RopeStage::result;
}

}  // namespace

Work Rope::ref(const Call& call) {
  const RopeOperands operands = rope_operands(call);
  const auto in = kept<double>(operands.x), out = room<double>(in->rows(), in->cols());
  const auto run = [in, out, table = operands.table, layout = operands.layout, first = operands.first] {
    position::rope_ref(*in, table, layout, *out, first);
  };
  return Work(out, operands.x.shape, run, in);
}

Work Rope::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return rope<T>(call, position::rope_cpu<T>); });
}

Work Rope::gpu(const Call& call) {
  return rope<float>(call, on_device(call, position::rope_gpu));
}

Work Rope::staged(const Call& call) {
  const Array& x = input_with_axes(call, "x", 2, "… × T × d");
  const Turning t = turning_of(call, x);
  const position::RopeFormats formats = position::rope_formats(call.precision, low_stage(call.settings));
  position::RopeTable table = position::rope_staged_table(
      t.positions, t.rotation.axis_of_pair, t.rotation.inv_freq, t.rotation.attention_factor, formats);
  apply_xpos_if_asked(call.settings, t.positions, table);
  for (Matrix<double>* entries : {&table.cos, &table.sin}) {
    round_to(formats.table, std::span(entries->data(), static_cast<std::size_t>(entries->size())));
  }
  const auto in = kept<double>(x), out = room<double>(x.rows(), x.cols());
  const auto run = [=, layout = t.rotation.layout, first = t.rotation.first] {
    position::rope_staged(*in, table, layout, formats, *out, first);
  };
  return Work(out, x.shape, run, in);
}

Gradients Rope::vjp(const Call& call, const Array& gradient) {
  const RopeOperands operands = rope_operands(call);
  require_gradient_shape(gradient, operands.x.shape);
  return in_compute_format(call, [&]<class T>(T) {
    return Gradients{{"x", rope<T>(operands, gradient, position::rope_vjp<T>).done()}};
  });
}

Bounds Rope::bounds(const Call&) {
  // The contract compares under one table; here ref keeps its own in double, and the fast twins round theirs:
  // once more u(|c x_a| + |s x_b|), u = 2⁻²⁴, which is √2 u of the row's largest result. Both together:
  // (2 + √2)² u² < 12 u².
  const auto with_rounded_table = [](tensor::Bound b) {
    b.row += 0x1.6bp-24;
    b.nmse = 12 * 0x1p-48;
    return b;
  };
  return {with_rounded_table(position::rope_bound), with_rounded_table(position::rope_gpu_bound)};
}

/// Of latent attention a head may be given, or its rotary part alone: which of them was turned.
std::string Rope::note(const Call& call) {
  const Array* x = call.find("x");
  if (x == nullptr || call.settings.file("config").empty()) return "";
  const RopeRotation rotation = rope_rotation(call, x->cols(), 1);
  if (!rotation.latent) return "";
  const auto turned = static_cast<Index>(2 * rotation.inv_freq.size());
  if (rotation.first == 0) return "the rotary part alone: all " + std::to_string(turned) + " columns turn";
  return "whole heads: columns " + std::to_string(rotation.first) + " to " + std::to_string(x->cols() - 1) +
         " turn, the last " + std::to_string(turned) + " of " + std::to_string(x->cols());
}

std::vector<position::RopeWarning> Rope::warnings(const Call& call) {
  return turning_of(call, input_with_axes(call, "x", 2, "… × T × d")).rotation.warnings;
}

/// An odd width has no last pair: one column then stays as it is.
void Rope::fit(parameter::Settings& s, const Sizes& sizes) {
  if (sizes.d % 2 == 1) s.set("rotary_dim", std::int64_t{sizes.d - 1});
}

}  // namespace orrery::op
