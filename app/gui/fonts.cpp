#include "app/gui/fonts.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <optional>

namespace orrery::gui {
namespace {

// Latin, Greek, Cyrillic's neighbours left out; punctuation, sub- and superscripts, arrows, mathematics.
constexpr std::array<ImWchar, 17> characters{0x0020, 0x017F, 0x0370, 0x03FF, 0x2000, 0x206F,
                                             0x2070, 0x209F, 0x2100, 0x214F, 0x2190, 0x21FF,
                                             0x2200, 0x22FF, 0x25A0, 0x25FF, 0};

/// What Dear ImGui must be told so that the em is as large as a designer means it, and where the capitals
/// end.
struct Metrics {
  double line = 1.2, ascent = 0.95, cap = 0.72;  // of an em
};

std::optional<Metrics> metrics_of(const FontFile& file) {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  std::optional<Metrics> found;
  if (FT_Init_FreeType(&library) != 0) return found;
  if (FT_New_Face(library, file.path.c_str(), file.index, &face) == 0) {
    if (face->units_per_EM > 0 && face->ascender > face->descender) {
      const double em = face->units_per_EM;
      found = Metrics{(face->ascender - face->descender) / em, face->ascender / em, 0.72};
      if (FT_Load_Char(face, 'H', FT_LOAD_NO_SCALE) == 0)
        found->cap = static_cast<double>(face->glyph->metrics.horiBearingY) / em;
    }
    FT_Done_Face(face);
  }
  FT_Done_FreeType(library);
  return found;
}

Face add(ImFontAtlas& atlas, const FontFile& file, const FontFile& last_resort, double em, float raster,
         double spacing = 0) {
  const std::optional<Metrics> metrics = metrics_of(file);
  Face face;
  if (!metrics) {
    ImFontConfig config;
    config.SizePixels = static_cast<float>(std::round(em * raster));
    face.font = atlas.AddFontDefault(&config);
    face.size = config.SizePixels / raster;
    face.ascent = 0.8f * face.size;
    face.cap = 0.6f * face.size;
    return face;
  }
  ImFontConfig config;
  config.FontNo = file.index;
  config.OversampleH =
      raster * em < 28 ? 4 : 2;  // glyphs stand at fractions of a pixel: spacing stays as designed
  config.OversampleV = 1;
  config.GlyphExtraSpacing.x = static_cast<float>(spacing * em * raster);
  config.RasterizerMultiply = 1.1f;
  const auto pixels = static_cast<float>(em * metrics->line * raster);
  face.font = atlas.AddFontFromFileTTF(file.path.c_str(), pixels, &config, characters.data());
  if (!last_resort.path.empty() && last_resort.path != file.path) {
    ImFontConfig merged = config;
    merged.MergeMode = true;
    merged.FontNo = last_resort.index;
    merged.OversampleH = 2;
    atlas.AddFontFromFileTTF(last_resort.path.c_str(), pixels, &merged, characters.data());
  }
  face.size = pixels / raster;
  face.ascent = static_cast<float>(em * metrics->ascent);
  face.cap = static_cast<float>(em * metrics->cap);
  return face;
}

}  // namespace

float Face::width(std::string_view text) const {
  return font->CalcTextSizeA(size, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

FontFile find_font(std::string_view family, int weight, bool monospaced) {
  FontFile file;
  FcPattern* pattern = FcPatternCreate();
  const std::string name(family);
  FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>(name.c_str()));
  FcPatternAddString(pattern, FC_FAMILY,
                     reinterpret_cast<const FcChar8*>(monospaced ? "monospace" : "sans-serif"));
  FcPatternAddInteger(pattern, FC_WEIGHT, FcWeightFromOpenType(weight));
  FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN);
  FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
  FcPatternAddBool(pattern, FC_VARIABLE, FcFalse);
  FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);
  FcResult result = FcResultNoMatch;
  if (FcPattern* match = FcFontMatch(nullptr, pattern, &result)) {
    FcChar8* text = nullptr;
    if (FcPatternGetString(match, FC_FILE, 0, &text) == FcResultMatch)
      file.path = reinterpret_cast<const char*>(text);
    FcPatternGetInteger(match, FC_INDEX, 0, &file.index);
    file.index &= 0xFFFF;  // the upper half names an instance of a variable font
    for (int i = 0; FcPatternGetString(match, FC_FAMILY, i, &text) == FcResultMatch; ++i)
      file.exact = file.exact || name == reinterpret_cast<const char*>(text);
    FcPatternDestroy(match);
  }
  FcPatternDestroy(pattern);
  return file;
}

Faces build_faces(ImFontAtlas& atlas, float scale, float raster) {
  const FontFile words = find_font("Inter", 400, false);
  const FontFile bold = find_font("Inter", 600, false);
  const FontFile numbers = find_font("JetBrains Mono", 400, true);
  const FontFile last = find_font("DejaVu Sans", 400, false);

  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  Faces faces;
  const double s = scale;
  faces.words = add(atlas, words, last, 13 * s, raster);
  faces.words_bold = add(atlas, bold, last, 13 * s, raster);
  faces.head = add(atlas, bold, last, 10 * s, raster, 0.08);
  faces.title = add(atlas, bold, last, 21 * s, raster, -0.01);
  faces.wordmark = add(atlas, bold, {}, 14.5 * s, raster);
  faces.numbers = add(atlas, numbers, last, 12 * s, raster);
  faces.small_numbers = add(atlas, numbers, last, 11 * s, raster);
  if (!atlas.Build()) {  // a file that was there and cannot be read after all
    atlas.Clear();
    const auto plain = [&](double em) { return add(atlas, {}, {}, em, raster); };
    faces = {plain(13 * s), plain(13 * s), plain(10 * s), plain(21 * s),
             plain(12 * s), plain(11 * s), plain(14 * s), {}};
    atlas.Build();
  }
  if (!words.exact) faces.note = "Inter";
  if (!numbers.exact) faces.note += faces.note.empty() ? "JetBrains Mono" : " and JetBrains Mono";
  if (!faces.note.empty()) faces.note += " not installed: another typeface stands in";
  return faces;
}

}  // namespace orrery::gui
