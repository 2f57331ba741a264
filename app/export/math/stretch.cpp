// Signs that grow: the variants and assemblies of the MATH table.
#include <hb-ot.h>

#include <algorithm>
#include <array>

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

Stretched MathFont::stretch(GlyphId glyph, double length, hb_direction_t direction) const {
  std::array<hb_ot_math_glyph_variant_t, 32> variants;
  unsigned variant_count = variants.size();
  hb_ot_math_get_glyph_variants(font_, glyph, direction, 0, &variant_count, variants.data());
  for (unsigned i = 0; i < variant_count; ++i) {
    if (em(variants[i].advance) >= length) return {{{variants[i].glyph, 0}}, em(variants[i].advance)};
  }

  std::vector<hb_ot_math_glyph_part_t> parts(16);
  unsigned part_count = static_cast<unsigned>(parts.size());
  hb_position_t italic_correction = 0;
  hb_ot_math_get_glyph_assembly(font_, glyph, direction, 0, &part_count, parts.data(), &italic_correction);
  parts.resize(part_count);
  if (!parts.empty()) {
    return assemble(parts, length, em(hb_ot_math_get_min_connector_overlap(font_, direction)), upem_);
  }
  if (variant_count > 0) {
    const hb_ot_math_glyph_variant_t& largest = variants[variant_count - 1];
    return {{{largest.glyph, 0}}, em(largest.advance)};
  }
  const GlyphInk extent = ink(glyph);
  return {{{glyph, 0}}, extent.ascent + extent.descent};
}

GlyphId MathFont::variant_within(GlyphId glyph, double length, hb_direction_t direction) const {
  std::array<hb_ot_math_glyph_variant_t, 32> variants;
  unsigned count = variants.size();
  hb_ot_math_get_glyph_variants(font_, glyph, direction, 0, &count, variants.data());
  for (unsigned i = count; i > 0; --i) {
    if (em(variants[i - 1].advance) <= length) return variants[i - 1].glyph;
  }
  return glyph;
}

}  // namespace orrery::exporter::math
