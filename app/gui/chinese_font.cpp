// Whether Chinese can be shown here, and in which typeface: fontconfig knows what is installed.
#include <fontconfig/fontconfig.h>

#include <memory>

#include "app/gui/fonts.h"

namespace orrery::gui {
namespace {

/// A font may have a few ideographs by chance: these are of the interface itself, and no others stand for them.
constexpr char32_t sample[] = {U'中', U'文', U'数', U'图', U'值', U'旋', U'转', U'导', U'出', U'。'};

using CharSet = std::unique_ptr<FcCharSet, decltype(&FcCharSetDestroy)>;
using Pattern = std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)>;

FontFile ask_fontconfig(int weight) {
  const CharSet wanted(FcCharSetCreate(), &FcCharSetDestroy);
  for (const char32_t c : sample) FcCharSetAddChar(wanted.get(), c);
  const Pattern pattern(FcPatternCreate(), &FcPatternDestroy);
  const auto text = [](const char* s) { return reinterpret_cast<const FcChar8*>(s); };
  FcPatternAddString(pattern.get(), FC_FAMILY, text("sans-serif"));
  FcPatternAddString(pattern.get(), FC_LANG, text("zh-cn"));
  FcPatternAddCharSet(pattern.get(), FC_CHARSET, wanted.get());
  FcPatternAddInteger(pattern.get(), FC_WEIGHT, FcWeightFromOpenType(weight));
  FcPatternAddInteger(pattern.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
  FcPatternAddBool(pattern.get(), FC_VARIABLE, FcFalse);
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FontFile file;
  FcResult result = FcResultNoMatch;
  const Pattern match(FcFontMatch(nullptr, pattern.get(), &result), &FcPatternDestroy);
  FcCharSet* has = nullptr;
  if (!match || FcPatternGetCharSet(match.get(), FC_CHARSET, 0, &has) != FcResultMatch ||
      !FcCharSetIsSubset(wanted.get(), has))
    return file;
  FcChar8* path = nullptr;
  if (FcPatternGetString(match.get(), FC_FILE, 0, &path) == FcResultMatch)
    file.path = reinterpret_cast<const char*>(path);
  FcPatternGetInteger(match.get(), FC_INDEX, 0, &file.index);
  file.index &= 0xFFFF;  // the upper half names an instance of a variable font
  file.exact = true;
  return file;
}

}  // namespace

FontFile find_chinese_font(int weight) {
  // Nothing is installed while the program runs, as far as it can see: asked once for each weight.
  static const FontFile regular = ask_fontconfig(400), semibold = ask_fontconfig(600);
  return weight >= 600 ? semibold : regular;
}

}  // namespace orrery::gui
