#include "core/position/rope_staged.h"

#include <cmath>

namespace orrery::position {

using tensor::Format;
using tensor::Index;
using tensor::Rounding;
using tensor::View;

RopeFormats rope_formats(const tensor::Precision& precision, RopeStage low) {
  const auto at = [&](RopeStage stage) {
    const bool among_two =
        low == RopeStage::hugging_face && (stage == RopeStage::table || stage == RopeStage::rotation);
    return stage == low || among_two ? precision.storage : precision.accumulate;
  };
  return {.storage = precision.storage,
          .accumulate = precision.accumulate,
          .positions = at(RopeStage::positions),
          .frequencies = at(RopeStage::frequencies),
          .angle = at(RopeStage::angle),
          .table = at(RopeStage::table),
          .rotation = at(RopeStage::rotation),
          .inverse_powers = low == RopeStage::hugging_face};
}

double rope_staged_angle(double position, double inv_freq, const RopeFormats& formats) {
  const double power = formats.inverse_powers ? 1 / round_to(formats.frequencies, 1 / inv_freq) : inv_freq;
  const double m = round_to(formats.positions, position), theta = round_to(formats.frequencies, power);
  return round_to(formats.angle, m * theta);
}

double rope_staged_entry(double cos_or_sin, double attention_factor, const RopeFormats& formats) {
  const Rounding acc(formats.accumulate), entry(formats.table);
  return entry(acc(acc(cos_or_sin) * attention_factor));
}

RopeTable rope_staged_table(View<const double> positions, std::span<const int> axis_of_pair,
                            std::span<const double> inv_freq, double attention_factor,
                            const RopeFormats& formats) {
  RopeTable table =
      rope_table(positions, axis_of_pair, inv_freq);  // checks the shapes; every value is replaced
  for (Index t = 0; t < table.tokens(); ++t) {
    for (Index i = 0; i < table.pairs(); ++i) {
      const auto pair = static_cast<std::size_t>(i);
      const double phi = rope_staged_angle(positions(axis_of_pair[pair], t), inv_freq[pair], formats);
      table.cos(t, i) = rope_staged_entry(std::cos(phi), attention_factor, formats);
      table.sin(t, i) = rope_staged_entry(std::sin(phi), attention_factor, formats);
    }
  }
  return table;
}

void rope_staged(View<const double> x, const RopeTable& table, RopeLayout layout, const RopeFormats& formats,
                 View<double> y, Index first) {
  check_rope_shapes(x.rows, x.cols, table.tokens(), table.pairs(), first);
  const Rounding store(formats.storage), turn(formats.rotation);
  const bool interleaved = layout == RopeLayout::interleaved;
  const Index pairs = table.pairs();
  for (Index r = 0; r < x.rows; ++r) {
    const Index token = r % table.tokens();
    for (Index i = 0; i < pairs; ++i) {
      const Index a = first + (interleaved ? 2 * i : i);
      const Index b = interleaved ? a + 1 : a + pairs;
      const double c = table.cos(token, i), s = table.sin(token, i);
      const double xa = store(x(r, a)), xb = store(x(r, b));
      y(r, a) = store(turn(turn(c * xa) - turn(s * xb)));
      y(r, b) = store(turn(turn(s * xa) + turn(c * xb)));
    }
    for (Index j = 0; j < first; ++j) y(r, j) = store(x(r, j));
    for (Index j = first + 2 * pairs; j < x.cols; ++j) y(r, j) = store(x(r, j));
  }
}

}  // namespace orrery::position
