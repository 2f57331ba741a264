// A mathematics font: its glyphs and the MATH table that says how to set with them. All lengths in em.
#pragma once

#include <cairo.h>
#include <hb-ot.h>
#include <hb.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace orrery::exporter::math {

using GlyphId = hb_codepoint_t;

/// The constants of the MATH table that we use, under the names of its specification, and three of TeX's that
/// it lacks. The values here are Latin Modern Math's own and serve where a font has no such table.
struct Constants {
  double script_scale = 0.7, script_script_scale = 0.5;
  double display_operator_min_height = 1.3;
  double axis_height = 0.25;
  double accent_base_height = 0.45;
  double subscript_shift_down = 0.247, subscript_top_max = 0.344, subscript_baseline_drop_min = 0.2;
  double subscript_shift_down_alone = 0.15;     ///< without a superscript: TeX's sub1, not in the table
  double superscript_shift_up_display = 0.413;  ///< in display style: TeX's sup1, not in the table
  double superscript_shift_up = 0.363, superscript_shift_up_cramped = 0.289, superscript_bottom_min = 0.108;
  double superscript_baseline_drop_max = 0.25, superscript_bottom_max_with_subscript = 0.344;
  double sub_superscript_gap_min = 0.16, space_after_script = 0.056;
  double upper_limit_gap_min = 0.2, upper_limit_baseline_rise_min = 0.111;
  double lower_limit_gap_min = 0.167, lower_limit_baseline_drop_min = 0.6;
  double limit_room = 0.1;   ///< air beyond limits: TeX's big_op_spacing5, not in the table
  double integral_lean = 1;  ///< of the italic correction that big operators have in the font
  double fraction_numerator_shift_up = 0.394, fraction_numerator_display_shift_up = 0.677;
  double fraction_denominator_shift_down = 0.345, fraction_denominator_display_shift_down = 0.686;
  double fraction_numerator_gap_min = 0.04, fraction_numerator_display_gap_min = 0.12;
  double fraction_denominator_gap_min = 0.04, fraction_denominator_display_gap_min = 0.12;
  double fraction_rule_thickness = 0.04;
  double stack_top_shift_up = 0.444, stack_top_display_shift_up = 0.677;
  double stack_bottom_shift_down = 0.345, stack_bottom_display_shift_down = 0.686;
  double stack_gap_min = 0.12, stack_display_gap_min = 0.28;
  double overbar_vertical_gap = 0.12, overbar_rule_thickness = 0.04, overbar_extra_ascender = 0.04;
  double underbar_vertical_gap = 0.12, underbar_rule_thickness = 0.04, underbar_extra_descender = 0.04;
  double radical_vertical_gap = 0.05, radical_display_vertical_gap = 0.148;
  double radical_rule_thickness = 0.04, radical_extra_ascender = 0.04;
  double radical_kern_before_degree = 0.278, radical_kern_after_degree = -0.556;
  double radical_degree_bottom_raise = 0.6;
};

/// Where mathematics is looked for, in this order.
std::vector<std::string> math_families(const std::string& first);

struct GlyphInk {
  double left = 0, right = 0, ascent = 0,
         descent = 0;  ///< of the ink; descent is positive below the baseline
};

/// A glyph grown to a size: one variant, or parts put together. Parts run upwards from the bottom, or
/// rightwards.
struct Stretched {
  struct Part {
    GlyphId glyph = 0;
    double offset = 0;  ///< from the beginning of the first part to the beginning of this one
  };
  std::vector<Part> parts;
  double length = 0;
};

class MathFont {
 public:
  /// The family asked for, else another mathematics font that is here, else whatever fontconfig offers.
  explicit MathFont(const std::string& family);
  ~MathFont();
  MathFont(const MathFont&) = delete;
  MathFont& operator=(const MathFont&) = delete;

  const Constants& constants() const { return constants_; }
  /// 0 when the font lacks the character. `script` 1 and 2 take the forms drawn for scripts and their
  /// scripts.
  GlyphId glyph(char32_t, int script) const;
  /// A word with kerning and ligatures: glyphs with their advances; empty when a character is missing.
  std::vector<std::pair<GlyphId, double>> word(const std::string& utf8) const;

  /// What is written for a character that this font has not: itself where another font has it, else the plain letter.
  char32_t elsewhere(char32_t) const;

  double advance(GlyphId) const;
  double italic_correction(GlyphId) const;
  double top_accent(GlyphId) const;  ///< where an accent's middle goes
  GlyphInk ink(GlyphId) const;
  /// Upwards: the smallest variant at least so long, else an assembly of parts, else the largest there is.
  Stretched stretch(GlyphId, double length) const;
  /// To the right: the variant or assembly nearest to the length, since a brace ends where its letters end.
  Stretched stretch_across(GlyphId, double length) const;
  /// The glyph set upon itself until it is so long: a bar as heavy as it was.
  Stretched repeat(GlyphId, double length) const;
  /// The widest variant no wider than that, the glyph itself where all are.
  GlyphId variant_within(GlyphId, double length) const;
  /// How far a script at a height may move towards its nucleus: the font's cut-ins.
  double script_kern(GlyphId, hb_ot_math_kern_t corner, double height) const;

  cairo_font_face_t* face() const { return face_; }
  const std::string& family() const { return family_; }
  /// Latin Modern Math has none of Computer Modern's kerns.
  bool lacks_kerns() const { return family_ == "Latin Modern Math"; }
  /// Latin Modern Math has letters for scripts but no signs.
  bool lacks_script_signs() const { return family_ == "Latin Modern Math"; }
  /// False where no font with a MATH table could be found: formulas are legible then, not beautiful.
  bool has_math_table() const { return has_math_table_; }

 private:
  /// Whether the font's file is said to have the character: asked of fontconfig where no glyph was found.
  bool should_have(char32_t code) const;
  double em(hb_position_t value) const { return value / upem_; }
  /// The glyph and its variants, small to large.
  std::vector<Stretched> variants(GlyphId, hb_direction_t) const;
  std::optional<Stretched> assembly(GlyphId, double length, hb_direction_t) const;

  hb_font_t* font_ = nullptr;
  cairo_font_face_t* face_ = nullptr;
  double upem_ = 1000;
  std::string family_;
  bool has_math_table_ = false;
  Constants constants_;
  mutable std::map<std::pair<char32_t, int>, GlyphId> glyphs_;
  mutable std::map<char32_t, char32_t> elsewhere_;
};

}  // namespace orrery::exporter::math
