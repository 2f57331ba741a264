#include "app/export/math/font.h"

#include <memory>
#include <new>

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>
#include <hb-ot.h>

#include "app/export/any_font.h"
#include "app/export/math/alphabets.h"
#include "core/tensor/remembered.h"

namespace orrery::exporter::math {

std::vector<std::string> math_families(const std::string& first) {
  std::vector<std::string> all{first};
  for (const char* family : {"Latin Modern Math", "STIX Two Math", "STIX Math", "TeX Gyre Termes Math",
                             "TeX Gyre Pagella Math", "DejaVu Math TeX Gyre"}) {
    if (family != first) all.emplace_back(family);
  }
  return all;
}

namespace {

using PatternPtr = std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)>;

PatternPtr match(const std::string& family) {
  const PatternPtr wanted(FcPatternCreate(), &FcPatternDestroy);
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family.c_str()));
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result = FcResultMatch;
  return {FcFontMatch(nullptr, wanted.get(), &result), &FcPatternDestroy};
}

bool is_family(FcPattern* pattern, const std::string& family) {
  FcChar8* name = nullptr;
  for (int i = 0; FcPatternGetString(pattern, FC_FAMILY, i, &name) == FcResultMatch; ++i) {
    if (FcStrCmpIgnoreCase(name, reinterpret_cast<const FcChar8*>(family.c_str())) == 0) return true;
  }
  return false;
}

struct Found {
  PatternPtr pattern;
  std::string family;
};

Found find_math_font(const std::string& wanted) {
  for (const std::string& family : math_families(wanted)) {
    PatternPtr pattern = match(family);
    if (pattern && is_family(pattern.get(), family)) return {std::move(pattern), family};
  }
  return {match("DejaVu Sans"), "DejaVu Sans"};
}

/// Constants as the font's MATH table has them.
Constants read_constants(hb_font_t* font, double upem) {
  const auto em = [&](hb_ot_math_constant_t name) { return hb_ot_math_get_constant(font, name) / upem; };
  const auto percent = [&](hb_ot_math_constant_t name) {
    return hb_ot_math_get_constant(font, name) / 100.0;
  };
  Constants c;
  c.script_scale = percent(HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN);
  c.script_script_scale = percent(HB_OT_MATH_CONSTANT_SCRIPT_SCRIPT_PERCENT_SCALE_DOWN);
  c.display_operator_min_height = em(HB_OT_MATH_CONSTANT_DISPLAY_OPERATOR_MIN_HEIGHT);
  c.axis_height = em(HB_OT_MATH_CONSTANT_AXIS_HEIGHT);
  c.accent_base_height = em(HB_OT_MATH_CONSTANT_ACCENT_BASE_HEIGHT);
  c.subscript_shift_down = em(HB_OT_MATH_CONSTANT_SUBSCRIPT_SHIFT_DOWN);
  c.subscript_top_max = em(HB_OT_MATH_CONSTANT_SUBSCRIPT_TOP_MAX);
  c.subscript_baseline_drop_min = em(HB_OT_MATH_CONSTANT_SUBSCRIPT_BASELINE_DROP_MIN);
  c.subscript_shift_down_alone = c.subscript_shift_down;
  c.superscript_shift_up_display = em(HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP);
  c.superscript_shift_up = em(HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP);
  c.superscript_shift_up_cramped = em(HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP_CRAMPED);
  c.superscript_bottom_min = em(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MIN);
  c.superscript_baseline_drop_max = em(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BASELINE_DROP_MAX);
  c.superscript_bottom_max_with_subscript = em(HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MAX_WITH_SUBSCRIPT);
  c.sub_superscript_gap_min = em(HB_OT_MATH_CONSTANT_SUB_SUPERSCRIPT_GAP_MIN);
  c.space_after_script = em(HB_OT_MATH_CONSTANT_SPACE_AFTER_SCRIPT);
  c.upper_limit_gap_min = em(HB_OT_MATH_CONSTANT_UPPER_LIMIT_GAP_MIN);
  c.upper_limit_baseline_rise_min = em(HB_OT_MATH_CONSTANT_UPPER_LIMIT_BASELINE_RISE_MIN);
  c.lower_limit_gap_min = em(HB_OT_MATH_CONSTANT_LOWER_LIMIT_GAP_MIN);
  c.lower_limit_baseline_drop_min = em(HB_OT_MATH_CONSTANT_LOWER_LIMIT_BASELINE_DROP_MIN);
  c.fraction_numerator_shift_up = em(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_SHIFT_UP);
  c.fraction_numerator_display_shift_up = em(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_DISPLAY_STYLE_SHIFT_UP);
  c.fraction_denominator_shift_down = em(HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_SHIFT_DOWN);
  c.fraction_denominator_display_shift_down =
      em(HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_DISPLAY_STYLE_SHIFT_DOWN);
  c.fraction_numerator_gap_min = em(HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_GAP_MIN);
  c.fraction_numerator_display_gap_min = em(HB_OT_MATH_CONSTANT_FRACTION_NUM_DISPLAY_STYLE_GAP_MIN);
  c.fraction_denominator_gap_min = em(HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_GAP_MIN);
  c.fraction_denominator_display_gap_min = em(HB_OT_MATH_CONSTANT_FRACTION_DENOM_DISPLAY_STYLE_GAP_MIN);
  c.fraction_rule_thickness = em(HB_OT_MATH_CONSTANT_FRACTION_RULE_THICKNESS);
  c.overbar_vertical_gap = em(HB_OT_MATH_CONSTANT_OVERBAR_VERTICAL_GAP);
  c.overbar_rule_thickness = em(HB_OT_MATH_CONSTANT_OVERBAR_RULE_THICKNESS);
  c.overbar_extra_ascender = em(HB_OT_MATH_CONSTANT_OVERBAR_EXTRA_ASCENDER);
  c.underbar_vertical_gap = em(HB_OT_MATH_CONSTANT_UNDERBAR_VERTICAL_GAP);
  c.underbar_rule_thickness = em(HB_OT_MATH_CONSTANT_UNDERBAR_RULE_THICKNESS);
  c.underbar_extra_descender = em(HB_OT_MATH_CONSTANT_UNDERBAR_EXTRA_DESCENDER);
  c.stack_top_shift_up = em(HB_OT_MATH_CONSTANT_STACK_TOP_SHIFT_UP);
  c.stack_top_display_shift_up = em(HB_OT_MATH_CONSTANT_STACK_TOP_DISPLAY_STYLE_SHIFT_UP);
  c.stack_bottom_shift_down = em(HB_OT_MATH_CONSTANT_STACK_BOTTOM_SHIFT_DOWN);
  c.stack_bottom_display_shift_down = em(HB_OT_MATH_CONSTANT_STACK_BOTTOM_DISPLAY_STYLE_SHIFT_DOWN);
  c.stack_gap_min = em(HB_OT_MATH_CONSTANT_STACK_GAP_MIN);
  c.stack_display_gap_min = em(HB_OT_MATH_CONSTANT_STACK_DISPLAY_STYLE_GAP_MIN);
  c.radical_vertical_gap = em(HB_OT_MATH_CONSTANT_RADICAL_VERTICAL_GAP);
  c.radical_display_vertical_gap = em(HB_OT_MATH_CONSTANT_RADICAL_DISPLAY_STYLE_VERTICAL_GAP);
  c.radical_rule_thickness = em(HB_OT_MATH_CONSTANT_RADICAL_RULE_THICKNESS);
  c.radical_extra_ascender = em(HB_OT_MATH_CONSTANT_RADICAL_EXTRA_ASCENDER);
  c.radical_kern_before_degree = em(HB_OT_MATH_CONSTANT_RADICAL_KERN_BEFORE_DEGREE);
  c.radical_kern_after_degree = em(HB_OT_MATH_CONSTANT_RADICAL_KERN_AFTER_DEGREE);
  c.radical_degree_bottom_raise = percent(HB_OT_MATH_CONSTANT_RADICAL_DEGREE_BOTTOM_RAISE_PERCENT);
  return c;
}

/// Latin Modern is Computer Modern; its MATH table has room for fewer of TeX's parameters. Those that it left
/// out or replaced are here as lmsy10.tfm has them, so that an index stands as high as in a document beside it.
void as_computer_modern(Constants& c) {
  c.superscript_shift_up_display = 0.413;  // sup1; the table has sup2 for it
  c.subscript_shift_down_alone = 0.15;     // sub1; the table has sub2 for it
  c.subscript_baseline_drop_min = 0.05;    // sub_drop; the table says 0.2
  c.integral_lean = 0.667;                 // cmex10 leans by 0.194 and 0.444, the table by 0.332 and 0.591
  c.space_after_script = 0.05;             // \\scriptspace, 0.5 pt; the table says 0.056
}

using BufferPtr = std::unique_ptr<hb_buffer_t, decltype(&hb_buffer_destroy)>;

BufferPtr new_buffer() {
  BufferPtr buffer(hb_buffer_create(), &hb_buffer_destroy);
  hb_buffer_set_direction(buffer.get(), HB_DIRECTION_LTR);
  hb_buffer_set_script(buffer.get(), HB_SCRIPT_MATH);
  hb_buffer_set_language(buffer.get(), hb_language_from_string("en", -1));
  return buffer;
}

/// HarfBuzz without memory gives fewer glyphs, or none, and goes on.
void shape(hb_font_t* font, const BufferPtr& buffer, const hb_feature_t& feature, unsigned features) {
  const bool shaped = hb_shape_full(font, buffer.get(), &feature, features, nullptr) != 0;
  if (!shaped || !hb_buffer_allocation_successful(buffer.get())) throw std::bad_alloc();
}

/// A table that is in the file, and that HarfBuzz had no room to read: it takes it for one that is not there.
bool is_lost(hb_face_t* face, hb_tag_t tag, bool seen) {
  const std::unique_ptr<hb_blob_t, decltype(&hb_blob_destroy)> table(hb_face_reference_table(face, tag),
                                                                     &hb_blob_destroy);
  return !seen && hb_blob_get_length(table.get()) > 0;
}

}  // namespace

MathFont::MathFont(const std::string& family) {
  const auto [pattern, found] = find_math_font(family);
  family_ = found;
  FcChar8* file = nullptr;
  int index = 0;
  if (pattern) FcPatternGetString(pattern.get(), FC_FILE, 0, &file);
  if (pattern) FcPatternGetInteger(pattern.get(), FC_INDEX, 0, &index);

  hb_blob_t* blob =
      file ? hb_blob_create_from_file(reinterpret_cast<const char*>(file)) : hb_blob_get_empty();
  hb_face_t* face = hb_face_create(blob, static_cast<unsigned>(index));
  font_ = hb_font_create(face);
  upem_ = hb_face_get_upem(face);
  has_math_table_ = hb_ot_math_has_data(face);
  if (has_math_table_) constants_ = read_constants(font_, upem_);
  if (family_ == "Latin Modern Math") as_computer_modern(constants_);
  const bool lost = is_lost(face, HB_TAG('M', 'A', 'T', 'H'), has_math_table_) ||
                    is_lost(face, HB_TAG('G', 'S', 'U', 'B'), hb_ot_layout_has_substitution(face) != 0);
  hb_face_destroy(face);
  hb_blob_destroy(blob);
  if (lost) {
    hb_font_destroy(font_);
    throw std::bad_alloc();
  }

  face_ = pattern
              ? cairo_ft_font_face_create_for_pattern(pattern.get())
              : cairo_toy_font_face_create("sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
}

MathFont::~MathFont() {
  hb_font_destroy(font_);
  cairo_font_face_destroy(face_);
}

GlyphId MathFont::glyph(char32_t code, int script) const {
  const auto key = std::pair(code, script);
  if (const auto known = glyphs_.find(key); known != glyphs_.end()) return known->second;
  const BufferPtr buffer = new_buffer();
  hb_buffer_add(buffer.get(), code, 0);
  hb_buffer_set_content_type(buffer.get(), HB_BUFFER_CONTENT_TYPE_UNICODE);
  const hb_feature_t form{HB_TAG('s', 's', 't', 'y'), static_cast<std::uint32_t>(script), 0,
                          static_cast<unsigned>(-1)};
  shape(font_, buffer, form, script > 0 ? 1 : 0);
  unsigned count = 0;
  const hb_glyph_info_t* info = hb_buffer_get_glyph_infos(buffer.get(), &count);
  const GlyphId found = count == 1 ? info[0].codepoint : 0;
  // The table of characters, too, may have found no room.
  if (found == 0 && should_have(code)) throw std::bad_alloc();
  return glyphs_[key] = found;
}

bool MathFont::should_have(char32_t code) const {
  const PatternPtr pattern = match(family_);
  FcCharSet* characters = nullptr;
  return pattern && FcPatternGetCharSet(pattern.get(), FC_CHARSET, 0, &characters) == FcResultMatch &&
         FcCharSetHasChar(characters, code) != 0;
}

char32_t MathFont::elsewhere(char32_t code) const {
  return tensor::remembered(elsewhere_, code, [&] {
    const bool nowhere = plain_letter(code) != code && !any_font_has(code);
    return nowhere ? plain_letter(code) : code;
  });
}

std::vector<std::pair<GlyphId, double>> MathFont::word(const std::string& utf8) const {
  const BufferPtr buffer = new_buffer();
  hb_buffer_set_script(buffer.get(), HB_SCRIPT_LATIN);
  hb_buffer_add_utf8(buffer.get(), utf8.data(), static_cast<int>(utf8.size()), 0,
                     static_cast<int>(utf8.size()));
  // A ligature would join letters that a PDF reader should find one by one.
  const hb_feature_t no_ligatures{HB_TAG('l', 'i', 'g', 'a'), 0, 0, static_cast<unsigned>(-1)};
  shape(font_, buffer, no_ligatures, 1);
  unsigned count = 0;
  const hb_glyph_info_t* info = hb_buffer_get_glyph_infos(buffer.get(), &count);
  const hb_glyph_position_t* position = hb_buffer_get_glyph_positions(buffer.get(), &count);
  std::vector<std::pair<GlyphId, double>> result;
  for (unsigned i = 0; i < count; ++i) {
    if (info[i].codepoint == 0) return {};
    result.emplace_back(info[i].codepoint, em(position[i].x_advance));
  }
  return result;
}

double MathFont::advance(GlyphId glyph) const {
  return em(hb_font_get_glyph_h_advance(font_, glyph));
}

double MathFont::italic_correction(GlyphId glyph) const {
  return em(hb_ot_math_get_glyph_italics_correction(font_, glyph));
}

double MathFont::top_accent(GlyphId glyph) const {
  return em(hb_ot_math_get_glyph_top_accent_attachment(font_, glyph));
}

double MathFont::script_kern(GlyphId glyph, hb_ot_math_kern_t corner, double height) const {
  const auto units = static_cast<hb_position_t>(height * upem_);
  return em(hb_ot_math_get_glyph_kerning(font_, glyph, corner, units));
}

GlyphInk MathFont::ink(GlyphId glyph) const {
  hb_glyph_extents_t extents;
  if (!hb_font_get_glyph_extents(font_, glyph, &extents)) return {};
  return {em(extents.x_bearing), em(extents.x_bearing + extents.width), em(extents.y_bearing),
          em(-(extents.y_bearing + extents.height))};
}

}  // namespace orrery::exporter::math
