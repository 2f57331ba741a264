#include "app/figure/color_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "app/figure/oklab.h"

namespace orrery::figure {

namespace {

constexpr int table_size = 256;
using Table = std::array<Color, table_size>;

// Published anchors, a ninth apart: viridis by Smith and van der Walt (2015), cividis by Nuñez, Anderton and
// Renslow (2018).
constexpr std::array viridis_anchors{rgb(0x440154), rgb(0x482878), rgb(0x3E4A89), rgb(0x31688E),
                                     rgb(0x26828E), rgb(0x1F9E89), rgb(0x35B779), rgb(0x6DCD59),
                                     rgb(0xB4DE2C), rgb(0xFDE725)};
constexpr std::array cividis_anchors{rgb(0x00224E), rgb(0x123570), rgb(0x3B496C), rgb(0x575D6D),
                                     rgb(0x707173), rgb(0x8A8678), rgb(0xA59C74), rgb(0xC3B369),
                                     rgb(0xE1CC55), rgb(0xFEE838)};

OkLab mix(const OkLab& p, const OkLab& q, double t) {
  return {std::lerp(p.L, q.L, t), std::lerp(p.a, q.a, t), std::lerp(p.b, q.b, t)};
}

OkLab between_anchors(std::span<const Color> anchors, double t) {
  const double at = t * double(anchors.size() - 1);
  const auto i = std::min(std::size_t(at), anchors.size() - 2);
  return mix(to_oklab(anchors[i]), to_oklab(anchors[i + 1]), at - double(i));
}

/// Blue – neutral – orange red: lightness leaves that of the ground alike on both sides, so that equal
/// magnitudes look equally far from zero.
OkLab diverging(double t, Ground ground) {
  const double far = std::abs(2 * t - 1);
  const double chroma = 0.135 * std::sin(0.72 * std::numbers::pi * far) + 0.02 * far;
  if (ground == Ground::dark)
    return from_polar(std::lerp(0.205, 0.80, std::pow(far, 0.9)), chroma, t < 0.5 ? 245 : 52);
  return from_polar(std::lerp(0.98, 0.40, std::pow(far, 1.15)), chroma, t < 0.5 ? 252 : 42);
}

/// Once around the hues, and once up and down in lightness, so that it survives greyscale on either half. Where
/// opposite phases are equally light one is blue and the other yellow, which nearly every eye tells apart.
OkLab cyclic(double t) {
  const double turn = 2 * std::numbers::pi * t;
  return from_polar(0.62 + 0.2 * std::cos(turn), 0.12, 165 + 360 * t);
}

Table make_table(ColorMap map, Ground ground = Ground::light) {
  Table table;
  for (int i = 0; i < table_size; ++i) {
    const double t = double(i) / (table_size - 1);
    OkLab c;
    switch (map) {
      case ColorMap::viridis:
        c = between_anchors(viridis_anchors, t);
        break;
      case ColorMap::cividis:
        c = between_anchors(cividis_anchors, t);
        break;
      case ColorMap::diverging:
        c = diverging(t, ground);
        break;
      case ColorMap::cyclic:
        c = cyclic(t);
        break;
    }
    table[std::size_t(i)] = from_oklab(c);
  }
  return table;
}

const Table& table_of(ColorMap map, Ground ground) {
  static const std::array<Table, 4> tables{make_table(ColorMap::viridis), make_table(ColorMap::cividis),
                                           make_table(ColorMap::diverging), make_table(ColorMap::cyclic)};
  static const Table diverging_on_dark = make_table(ColorMap::diverging, Ground::dark);
  return map == ColorMap::diverging && ground == Ground::dark ? diverging_on_dark : tables[std::size_t(map)];
}

Range settled(const ColorScale& scale, Range found) {
  Range r = scale.range.value_or(found);
  if (!std::isfinite(r.lo) || !std::isfinite(r.hi)) r = found;
  if (r.lo > r.hi) std::swap(r.lo, r.hi);
  if (scale.map == ColorMap::diverging && !scale.range) {
    const double reach = std::max(std::abs(r.lo - scale.centre), std::abs(r.hi - scale.centre));
    r = {scale.centre - reach, scale.centre + reach};
  }
  const double least = 1e-12 * std::max(std::abs(r.lo), std::abs(r.hi));
  if (r.length() <= least) r = r.lo == 0 ? Range{-1, 1} : Range{r.lo - std::abs(r.lo), r.hi + std::abs(r.hi)};
  return r;
}

double places_per_unit(Range r) {
  return (table_size - 1) / r.length();
}

/// Where a value stands in a table: half a place more, to be cut off.
double place(double value, double lo, double per_unit) {
  double at = (value - lo) * per_unit;
  at = at > 0 ? at : 0;  // also of what is no number
  at = at < table_size - 1 ? at : table_size - 1;
  return at + 0.5;
}

}  // namespace

Ground ground_of(const Theme& theme) {
  return to_oklab(theme.background).L < 0.5 ? Ground::dark : Ground::light;
}

Color map_color(ColorMap map, double t, Ground ground) {
  return table_of(map, ground)[std::size_t(std::clamp(t, 0.0, 1.0) * (table_size - 1) + 0.5)];
}

ValueColors::ValueColors(const ColorScale& scale, Range found, const Theme& theme)
    : map_(scale.map),
      ground_(ground_of(theme)),
      range_(settled(scale, found)),
      masked_(theme.masked),
      bad_(theme.bad),
      centre_(scale.centre) {}

// The neutral colour of a diverging map stays at the centre also where a person chose an uneven range.
Range ValueColors::span() const {
  if (map_ != ColorMap::diverging) return range_;
  const double reach = std::max({centre_ - range_.lo, range_.hi - centre_, 1e-300});
  return {centre_ - reach, centre_ + reach};
}

Color ValueColors::operator()(double value) const {
  if (std::isnan(value)) return bad_;
  if (value < 0 && std::isinf(value)) return masked_;
  if (!bands_.values.empty()) value = bands_.inside(bands_.band(value));
  const Range r = span();
  return table_of(map_, ground_)[std::size_t(place(value, r.lo, places_per_unit(r)))];
}

// Everything is a place in one table, found without branches in double's own width, which the compiler turns into
// vectors: a heatmap costs little more than reading it.
void ValueColors::map(std::span<const float> values, std::span<Color> out) const {
  if (!bands_.values.empty()) {
    std::ranges::transform(values, out.begin(), *this);
    return;
  }
  std::array<Color, table_size + 2> table;
  constexpr double masked = table_size + 0.5, bad = table_size + 1.5;
  std::ranges::copy(table_of(map_, ground_), table.begin());
  table[std::size_t(masked)] = masked_;
  table[std::size_t(bad)] = bad_;
  const Range r = span();
  const double lo = r.lo, per_unit = places_per_unit(r);
  std::array<std::int32_t, 256> places;
  for (std::size_t from = 0; from < values.size(); from += places.size()) {
    const std::size_t count = std::min(places.size(), values.size() - from);
    for (std::size_t i = 0; i < count; ++i) {
      const double value = values[from + i];
      double at = place(value, lo, per_unit);
      at = value < -std::numeric_limits<double>::max() ? masked : at;
      at = value != value ? bad : at;
      places[i] = static_cast<std::int32_t>(at);
    }
    for (std::size_t i = 0; i < count; ++i) out[from + i] = table[static_cast<std::size_t>(places[i])];
  }
}

}  // namespace orrery::figure
