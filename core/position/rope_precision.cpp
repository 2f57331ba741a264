#include "core/position/rope_precision.h"

#include <algorithm>
#include <cmath>

namespace orrery::position {

using tensor::Format;
using tensor::Index;
using tensor::Rounding;

namespace {

/// cos and sin of one angle as the table holds them.
struct Entry {
  double cos, sin;
  bool operator==(const Entry&) const = default;
};

/// Rows of the table, compared pair by pair until two differ: most neighbours do so at the first pair.
class Rows {
 public:
  Rows(std::span<const double> inv_freq, double attention_factor, const RopeFormats& formats)
      : inv_freq_(inv_freq), attention_factor_(attention_factor), formats_(formats) {
    for (const double theta : inv_freq) fastest_ = std::max(fastest_, theta);
  }

  /// No angle of a position overflows before that of its fastest pair.
  bool exists(Index m) const { return std::isfinite(angle(m, fastest_)); }

  bool equal(Index m, Index n) const {
    for (const double theta : inv_freq_) {
      const double a = angle(m, theta), b = angle(n, theta);
      if (a != b && !(entry(a) == entry(b))) return false;
    }
    return true;
  }

 private:
  double angle(Index m, double theta) const {
    return rope_staged_angle(static_cast<double>(m), theta, formats_);
  }
  Entry entry(double phi) const {
    return {rope_staged_entry(std::cos(phi), attention_factor_, formats_),
            rope_staged_entry(std::sin(phi), attention_factor_, formats_)};
  }

  std::span<const double> inv_freq_;
  double fastest_ = 0;
  double attention_factor_;
  const RopeFormats& formats_;
};

}  // namespace

double rope_phase_error(double position, double inv_freq, const RopeFormats& formats) {
  const double phi = rope_staged_angle(position, inv_freq, formats);
  return std::isfinite(phi) ? phi - position * inv_freq : std::nan("");
}

WorstPhase rope_worst_phase(PositionRun positions, double inv_freq, const RopeFormats& formats) {
  WorstPhase worst;
  for (Index m = positions.first; m <= positions.last; ++m) {
    const double error = std::abs(rope_phase_error(static_cast<double>(m), inv_freq, formats));
    if (error > worst.radians) worst = {error, m};  // false for NaN
  }
  return worst;
}

RopeCollisions rope_collisions(PositionRun positions, std::span<const double> inv_freq,
                               double attention_factor, const RopeFormats& formats,
                               const std::function<void(Index, const RopeCollisions&)>& pause) {
  constexpr Index between_pauses = 4096;
  const Rows rows(inv_freq, attention_factor, formats);
  RopeCollisions found;
  Index first = positions.first;  // of the run that m belongs to
  const auto end_run = [&](Index last) {
    if (last > first) found.runs.push_back({first, last});
  };
  for (Index m = positions.first; m <= positions.last; ++m) {
    const Index done = m - positions.first;
    if (pause && done % between_pauses == 0) pause(done, found);
    if (!rows.exists(m)) {
      end_run(m - 1);
      first = m + 1;
      ++found.unreachable;
    } else if (m == first || !rows.equal(m - 1, m)) {
      end_run(m - 1);
      first = m;
      ++found.distinct;
    }
  }
  end_run(positions.last);
  return found;
}

std::vector<double> rope_staged_scores(std::span<const double> q, std::span<const double> k, double offset,
                                       std::span<const double> key_positions,
                                       std::span<const double> inv_freq, double attention_factor,
                                       const RopeFormats& formats) {
  const auto tokens = std::ssize(key_positions), width = std::ssize(q);
  const std::vector<int> one_axis(inv_freq.size(), 0);
  const auto turned = [&](std::span<const double> row, double shift) {
    tensor::Matrix<double> positions(1, tokens), rows(tokens, width);
    for (Index t = 0; t < tokens; ++t) positions(0, t) = key_positions[static_cast<std::size_t>(t)] + shift;
    for (Index t = 0; t < tokens; ++t) std::ranges::copy(row, &rows(t, 0));
    const RopeTable table = rope_staged_table(positions, one_axis, inv_freq, attention_factor, formats);
    rope_staged(rows, table, RopeLayout::half, formats, rows);
    return rows;
  };
  const tensor::Matrix<double> queries = turned(q, offset), keys = turned(k, 0);
  std::vector<double> scores(key_positions.size());
  for (Index t = 0; t < tokens; ++t) scores[static_cast<std::size_t>(t)] = queries.row(t).dot(keys.row(t));
  return scores;
}

std::vector<double> rope_running_frequencies(Index rotary_dim, double base, Format format) {
  const Rounding round(format);
  const std::vector<double> exact = rope_default_frequencies(rotary_dim, base);
  std::vector<double> running(exact.size(), 1);
  for (std::size_t i = 1; i < running.size(); ++i) running[i] = round(running[i - 1] * round(exact[1]));
  return running;
}

}  // namespace orrery::position
