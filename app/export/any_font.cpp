#include "app/export/any_font.h"

#include <fontconfig/fontconfig.h>

#include <memory>

namespace orrery::exporter {

bool any_font_has(char32_t character) {
  const std::unique_ptr<FcCharSet, decltype(&FcCharSetDestroy)> one(FcCharSetCreate(), &FcCharSetDestroy);
  FcCharSetAddChar(one.get(), character);
  const std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)> wanted(FcPatternCreate(), &FcPatternDestroy);
  FcPatternAddCharSet(wanted.get(), FC_CHARSET, one.get());
  const std::unique_ptr<FcObjectSet, decltype(&FcObjectSetDestroy)> nothing(
      FcObjectSetBuild(FC_FAMILY, nullptr), &FcObjectSetDestroy);
  const std::unique_ptr<FcFontSet, decltype(&FcFontSetDestroy)> found(
      FcFontList(nullptr, wanted.get(), nothing.get()), &FcFontSetDestroy);
  return found && found->nfont > 0;
}

}  // namespace orrery::exporter
