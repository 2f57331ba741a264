#include "core/position/rope_axes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/simd/share.h"
#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;

namespace {

std::string text_of(std::span<const int> sections) {
  std::string text;
  for (const int n : sections) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text.empty() ? "none" : text;
}

std::vector<int> taking_turns(std::span<const int> sections, int pairs) {
  const auto axes = static_cast<int>(sections.size());
  std::vector<int> axis(static_cast<std::size_t>(pairs), 0);
  for (int k = 1; k < axes; ++k) {
    const int end = std::min(axes * sections[static_cast<std::size_t>(k)], pairs);
    for (int i = k; i < end; i += axes) axis[static_cast<std::size_t>(i)] = k;
  }
  return axis;
}

}  // namespace

std::vector<int> mrope_axes(std::span<const int> sections, bool interleaved) {
  if (std::ranges::any_of(sections, [](int n) { return n < 0 || n > 65536; })) {
    throw InvalidArgument(
        about("mrope_section").found(text_of(sections)).allowed("numbers of pairs, 0 or more"));
  }
  const int pairs = std::accumulate(sections.begin(), sections.end(), 0);
  if (interleaved) {
    std::vector<int> axis = taking_turns(sections, pairs);
    for (std::size_t k = 1; k < sections.size(); ++k) {  // the first has what is left
      const auto turns = static_cast<int>(std::ranges::count(axis, static_cast<int>(k)));
      if (turns == sections[k]) continue;
      throw InvalidArgument(about("mrope_section")
                                .found(text_of(sections))
                                .led_by("; allowed when interleaved: ")
                                .allowed("at most {} of {} pairs on axis {}: so often is it its turn", turns,
                                         pairs, static_cast<int>(k) + 1));
    }
    return axis;
  }
  std::vector<int> axis;
  for (std::size_t k = 0; k < sections.size(); ++k) {
    axis.insert(axis.end(), static_cast<std::size_t>(sections[k]), static_cast<int>(k));
  }
  return axis;
}

RopeTable rope_table(tensor::View<const double> positions, std::span<const int> axis_of_pair,
                     std::span<const double> inv_freq, double attention_factor) {
  if (axis_of_pair.size() != inv_freq.size()) {
    throw InvalidArgument(about("mrope_section")
                              .found(axis_of_pair.size())
                              .fault("found {} pairs in all", axis_of_pair.size())
                              .allowed("{}, as many as turn", inv_freq.size()));
  }
  for (const int axis : axis_of_pair) {
    if (axis < positions.rows) continue;
    throw InvalidArgument(about(Subject::Kind::input, "positions")
                              .found(positions.rows)
                              .fault("found {} axes", positions.rows)
                              .allowed("at least {}", axis + 1));
  }
  const Index tokens = positions.cols;
  const auto pairs = static_cast<Index>(inv_freq.size());
  RopeTable table{{tokens, pairs}, {tokens, pairs}};
  simd::share(tokens, tokens * pairs * 8, [&](Index first, Index end) {
    for (Index t = first; t < end; ++t) {
      for (Index i = 0; i < pairs; ++i) {
        const auto pair = static_cast<std::size_t>(i);
        const double angle = positions(axis_of_pair[pair], t) * inv_freq[pair];
        table.cos(t, i) = attention_factor * std::cos(angle);
        table.sin(t, i) = attention_factor * std::sin(angle);
      }
    }
  });
  return table;
}

}  // namespace orrery::position
