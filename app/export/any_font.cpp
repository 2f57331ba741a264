#include "app/export/any_font.h"

#include <fontconfig/fontconfig.h>

#include <atomic>
#include <memory>

#include "app/export/font_lock.h"
#include "app/export/room_for_fonts.h"
#include "core/tensor/error.h"

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

void require_any_font() {
  static std::atomic<bool> found{false};  // they are read once
  if (found) return;
  require_room_for_fonts();  // else none is found though there are some
  const FontLock lock;
  for (const FcSetName set : {FcSetSystem, FcSetApplication})
    if (const FcFontSet* fonts = FcConfigGetFonts(nullptr, set); fonts && fonts->nfont > 0) {
      found = true;
      return;
    }
  throw Failure(about(words("fonts"))
                    .fault("none is installed, and a figure has words")
                    .allowed("any, such as {}", "fonts-dejavu-core"));
}

}  // namespace orrery::exporter
