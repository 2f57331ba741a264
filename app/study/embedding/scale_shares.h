// The position's share of what enters a model: expected, and measured of rows drawn by chance.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/study/kit/series.h"
#include "app/study/twin.h"
#include "core/parameter/settings.h"

namespace orrery::study::embedding_scale {

using embedding::Scale;
using tensor::Index;
using twin::Matrix;

inline constexpr Index widest = 16384;
inline constexpr std::array scales{Scale::none, Scale::sqrt_d};

/// How rows begin.
struct Beginning {
  const char* name;   ///< as a column has it
  const char* label;  ///< as the legend has it
  double deviation;   ///< 0: 1/√d
  double of(double d) const { return deviation > 0 ? deviation : 1 / std::sqrt(d); }
};

std::vector<Beginning> beginnings(const parameter::Settings&);
/// Which of them is set.
std::size_t chosen(const parameter::Settings&);

/// The position's part of both squared lengths in percent: d/2 over d/2 + s²σ²d.
double expected_share(double deviation, double factor);
/// The same of rows.
double share_of(const Matrix& position, const Matrix& content);

/// Rows of one width, with all that is measured of them.
struct Rows {
  Matrix unit, position;  ///< of deviation 1; the sinusoids of as many positions
  std::vector<Index> ids;
};

Rows rows_of(const Run&, const parameter::Settings&, Index width);
Matrix content_of(const Run&, const Rows&, double deviation, Scale);

/// "1/√d", "1/√d, times √d"
std::string column_name(const Beginning&, Scale);
Series expected_shares(const std::vector<Beginning>&);
/// Of rows drawn by chance, at a few widths.
Series measured_shares(const Run&, const parameter::Settings&, const std::vector<Beginning>&);

}  // namespace orrery::study::embedding_scale
