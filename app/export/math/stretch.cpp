// Signs that grow: the variants and assemblies of the MATH table.
#include <hb-ot.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/export/math/font.h"

namespace orrery::exporter::math {
namespace {

struct Link {
  GlyphId glyph = 0;
  double length = 0;
  double joint = 0;  ///< how far it may reach into the one before it, beyond what it must
};

constexpr int most_repeats = 200;

/// Parts in order, at their least overlap; extenders come `repeats` times.
std::vector<Link> chain(const std::vector<hb_ot_math_glyph_part_t>& parts, int repeats, double least_overlap,
                        double upem) {
  std::vector<Link> links;
  double connector = 0;
  for (const hb_ot_math_glyph_part_t& part : parts) {
    const int times = (part.flags & HB_MATH_GLYPH_PART_FLAG_EXTENDER) ? repeats : 1;
    for (int k = 0; k < times; ++k) {
      const double overlap = std::min(connector, part.start_connector_length / upem);
      const double joint = links.empty() ? 0 : std::max(0.0, overlap - least_overlap);
      links.push_back({part.glyph, part.full_advance / upem, joint});
      connector = part.end_connector_length / upem;
    }
  }
  return links;
}

/// As few extenders as reach the length, then the joints pushed together alike until it fits.
Stretched assemble(const std::vector<hb_ot_math_glyph_part_t>& parts, double length, double least_overlap,
                   double upem) {
  std::vector<Link> links;
  double full = 0;
  double give = 0;
  for (int repeats = 1; repeats <= most_repeats && (repeats == 1 || full < length); ++repeats) {
    links = chain(parts, repeats, least_overlap, upem);
    full = -least_overlap * static_cast<double>(links.size() - 1);
    give = 0;
    for (const Link& link : links) {
      full += link.length;
      give += link.joint;
    }
  }
  const double share = give > 0 ? std::clamp((full - length) / give, 0.0, 1.0) : 0;
  Stretched result;
  for (const Link& link : links) {
    const double overlap = result.parts.empty() ? 0 : least_overlap + share * link.joint;
    result.parts.push_back({link.glyph, result.length - overlap});
    result.length += link.length - overlap;
  }
  return result;
}

}  // namespace

std::vector<Stretched> MathFont::variants(GlyphId glyph, hb_direction_t direction) const {
  const GlyphInk extent = ink(glyph);
  const bool upwards = direction == HB_DIRECTION_BTT;
  std::vector<Stretched> all{
      {{{glyph, 0}}, upwards ? extent.ascent + extent.descent : extent.right - extent.left}};
  std::array<hb_ot_math_glyph_variant_t, 32> found;
  unsigned count = found.size();
  hb_ot_math_get_glyph_variants(font_, glyph, direction, 0, &count, found.data());
  for (unsigned i = 0; i < count; ++i) all.push_back({{{found[i].glyph, 0}}, em(found[i].advance)});
  return all;
}

std::optional<Stretched> MathFont::assembly(GlyphId glyph, double length, hb_direction_t direction) const {
  std::vector<hb_ot_math_glyph_part_t> parts(16);
  unsigned count = static_cast<unsigned>(parts.size());
  hb_position_t italic_correction = 0;
  hb_ot_math_get_glyph_assembly(font_, glyph, direction, 0, &count, parts.data(), &italic_correction);
  parts.resize(count);
  if (parts.empty()) return std::nullopt;
  return assemble(parts, length, em(hb_ot_math_get_min_connector_overlap(font_, direction)), upem_);
}

Stretched MathFont::stretch(GlyphId glyph, double length) const {
  const std::vector<Stretched> drawn = variants(glyph, HB_DIRECTION_BTT);
  for (const Stretched& variant : drawn)
    if (variant.length >= length) return variant;
  return assembly(glyph, length, HB_DIRECTION_BTT).value_or(drawn.back());
}

Stretched MathFont::stretch_across(GlyphId glyph, double length) const {
  std::vector<Stretched> all = variants(glyph, HB_DIRECTION_LTR);
  if (const auto built = assembly(glyph, length, HB_DIRECTION_LTR)) all.push_back(*built);
  return *std::ranges::min_element(all, {}, [&](const Stretched& s) { return std::abs(s.length - length); });
}

GlyphId MathFont::variant_within(GlyphId glyph, double length) const {
  GlyphId widest = glyph;
  for (const Stretched& variant : variants(glyph, HB_DIRECTION_LTR))
    if (variant.length <= length) widest = variant.parts.front().glyph;
  return widest;
}

Stretched MathFont::repeat(GlyphId glyph, double length) const {
  constexpr double step = 0.6;  // em: the piece that TeX builds its bars of
  const GlyphInk extent = ink(glyph);
  const double once = extent.ascent + extent.descent;
  if (once <= 0 || length <= once) return {{{glyph, 0}}, once};
  length = std::min(std::ceil(length / step - 1e-6) * step, most_repeats * step);
  const int times = static_cast<int>(std::ceil(length / once));
  Stretched result;
  for (int k = 0; k < times; ++k) result.parts.push_back({glyph, k * (length - once) / (times - 1)});
  result.length = length;
  return result;
}

}  // namespace orrery::exporter::math
