#include "app/gui/fonts.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <deque>
#include <optional>
#include <vector>

namespace orrery::gui {
namespace {

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

/// What a face is made of: its own font, what stands in for characters that it does not have, and which it was asked for.
struct Sources {
  FontFile own, last_resort{}, chinese{};
  Glyphs* more = nullptr;
  double least_chinese = 0;  ///< its em at least: strokes of small heads would run into each other
};

/// Dear ImGui reads ranges when the atlas is built, and later still: they live as long as the atlas may.
const ImWchar* keep(std::vector<ImWchar> ranges) {
  static std::deque<std::vector<ImWchar>> kept;
  constexpr std::size_t atlases = 4, faces = 6;
  kept.push_back(std::move(ranges));
  if (kept.size() > atlases * faces) kept.pop_front();
  return kept.back().data();
}

/// Characters of another font in this face, their em as large as its own, on its baseline.
void merge(ImFontAtlas& atlas, ImFontConfig config, const FontFile& file, double em, float raster,
           const ImWchar* ranges) {
  const std::optional<Metrics> metrics = metrics_of(file);
  if (!metrics) return;
  config.MergeMode = true;
  config.FontNo = file.index;
  config.OversampleH = 2;
  atlas.AddFontFromFileTTF(file.path.c_str(), static_cast<float>(em * metrics->line * raster), &config,
                           ranges);
}

Face add(ImFontAtlas& atlas, const Sources& sources, double em, float raster, double spacing = 0) {
  const FontFile& file = sources.own;
  const std::optional<Metrics> metrics = metrics_of(file);
  Face face;
  face.more = sources.more;
  ImFontConfig config;
  if (!metrics) {
    config.SizePixels = static_cast<float>(std::round(em * raster));
    face.font = atlas.AddFontDefault(&config);
    face.size = config.SizePixels / raster;
    face.ascent = 0.8f * face.size;
    face.cap = 0.6f * face.size;
    return face;
  }
  config.FontNo = file.index;
  config.OversampleH =
      raster * em < 28 ? 4 : 2;  // glyphs stand at fractions of a pixel: spacing stays as designed
  config.OversampleV = 1;
  config.GlyphExtraSpacing.x = static_cast<float>(spacing * em * raster);
  config.RasterizerMultiply = 1.1f;
  const auto pixels = static_cast<float>(em * metrics->line * raster);
  const ImWchar* common = common_ranges().data();
  face.font = atlas.AddFontFromFileTTF(file.path.c_str(), pixels, &config, common);
  const FontFile& last = sources.last_resort;
  if (!last.path.empty() && last.path != file.path) {
    ImFontConfig merged = config;
    merged.MergeMode = true;
    merged.FontNo = last.index;
    merged.OversampleH = 2;
    atlas.AddFontFromFileTTF(last.path.c_str(), pixels, &merged, common);
  }
  if (sources.more && !sources.more->empty()) {
    const ImWchar* asked = keep(sources.more->take_ranges());
    if (!sources.chinese.path.empty())
      merge(atlas, config, sources.chinese, std::max(em, sources.least_chinese), raster, asked);
    if (!last.path.empty()) merge(atlas, config, last, em, raster, asked);
  }
  face.size = pixels / raster;
  face.ascent = static_cast<float>(em * metrics->ascent);
  face.cap = static_cast<float>(em * metrics->cap);
  return face;
}

}  // namespace

float Face::width(std::string_view text) const {
  if (text.empty()) return 0;  // the library takes no null
  ask(text);
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

Faces build_faces(ImFontAtlas& atlas, float scale, float raster, MoreGlyphs& more) {
  const FontFile words = find_font("Inter", 400, false);
  const FontFile bold = find_font("Inter", 600, false);
  const FontFile numbers = find_font("JetBrains Mono", 400, true);
  const FontFile last = find_font("DejaVu Sans", 400, false);
  const auto chinese = [](const Glyphs& asked, int weight) {
    return asked.empty() ? FontFile{} : find_chinese_font(weight);
  };

  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  Faces faces;
  const double s = scale;
  const auto make = [&](const FontFile& own, int weight, Glyphs& asked, double em, double spacing = 0) {
    return add(atlas, {own, last, chinese(asked, weight), &asked, 11.5 * s}, em * s, raster, spacing);
  };
  faces.words = make(words, 400, more.words, 13);
  faces.words_bold = make(bold, 600, more.words_bold, 13);
  faces.head = make(bold, 600, more.head, 10, 0.08);
  faces.title = make(bold, 600, more.title, 21, -0.01);
  faces.wordmark = add(atlas, {bold}, 14.5 * s, raster);
  faces.numbers = make(numbers, 400, more.numbers, 12);
  faces.small_numbers = make(numbers, 400, more.small_numbers, 11);
  if (!atlas.Build()) {  // a file that was there and cannot be read after all
    atlas.Clear();
    const auto plain = [&](double em) { return add(atlas, {}, em, raster); };
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
