// Rotary positions as a framework computes them in few bits, stage by stage; r_s rounds to the format of stage s.
//
//   positions     m̂ = r(m)                    bf16: whole numbers are exact up to 256, 257 becomes 256
//   frequencies   θ̂ = r(θ_i)                  a buffer that went along when the model was cast
//   angle         φ = r(m̂ θ̂)                  float: off by up to m θ 2⁻²⁴
//   table         c = r(a(a(cos φ) A)), s likewise; A the attention factor, a rounds to `accumulate`
//   rotation      y_a = storage(r(r(c x_a) − r(s x_b))),   y_b = storage(r(r(s x_a) + r(c x_b)))
//
// x and y are of the storage format always. One stage at a time is low, the others are of the accumulation format:
// what that one costs is then seen alone. `result`: none is, as in code that turns in float and casts at the end.
// `hugging_face`: two are, table and rotation, as its models run in bf16: angles, cosines and sines in float, cast to the
// format of q, and q cos + rotate_half(q) sin in it. Its frequencies are 1/base^(2i/R), rounded at the power and at its
// inverse, r(1/r(1/θ)): a unit of float more or less, which positions in the thousands make another entry of the table. (Where
// R is no power of two PyTorch rounds 2i/R too: in R = 96, from position 2000 on, one entry in 300 of a bf16 table is another.)
// Source     Wang et al., "When precision meets position", arXiv 2411.13476 (result, in bf16); Hugging Face's
//            code before and after transformers#29285 (angle), #28837 (frequencies); LlamaRotaryEmbedding and
//            apply_rotary_pos_emb since (hugging_face).
#pragma once

#include "core/position/rope_axes.h"
#include "core/tensor/precision.h"

namespace orrery::position {

enum class RopeStage { result, rotation, table, angle, frequencies, positions, hugging_face };

/// The format of every stage.
struct RopeFormats {
  tensor::Format storage, accumulate;
  tensor::Format positions, frequencies, angle, table, rotation;
  bool inverse_powers = false;  ///< θ̂ = r(1/r(1/θ))
};

/// Storage at one stage (of hugging_face: at two), accumulation at the others.
RopeFormats rope_formats(const tensor::Precision&, RopeStage low);

/// φ of one pair at one position, and what the table keeps of its cosine or sine.
double rope_staged_angle(double position, double inv_freq, const RopeFormats&);
double rope_staged_entry(double cos_or_sin, double attention_factor, const RopeFormats&);

/// Positions: axes × T, as in rope_axes.h.
RopeTable rope_staged_table(tensor::View<const double> positions, std::span<const int> axis_of_pair,
                            std::span<const double> inv_freq, double attention_factor, const RopeFormats&);

/// The table holds values of formats.table. y may be x.
void rope_staged(tensor::View<const double> x, const RopeTable&, RopeLayout, const RopeFormats&,
                 tensor::View<double> y, tensor::Index first = 0);

}  // namespace orrery::position
