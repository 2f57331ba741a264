#include "app/export/typefaces.h"

#include <fontconfig/fontconfig.h>

#include <cctype>
#include <memory>

#include "app/export/font_lock.h"

namespace orrery::exporter {
namespace {

using Pattern = std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)>;

const char* text_of(const Pattern& pattern, const char* property, int which = 0) {
  FcChar8* text = nullptr;
  const bool there = pattern && FcPatternGetString(pattern.get(), property, which, &text) == FcResultMatch;
  return there ? reinterpret_cast<const char*>(text) : nullptr;
}

bool has_letters(const Pattern& pattern) {
  FcCharSet* characters = nullptr;
  if (!pattern || FcPatternGetCharSet(pattern.get(), FC_CHARSET, 0, &characters) != FcResultMatch)
    return false;
  for (FcChar32 c = '0'; c <= 'z'; ++c)
    if (std::isalnum(static_cast<int>(c)) && !FcCharSetHasChar(characters, c)) return false;
  return true;
}

}  // namespace

Face face_for(const std::string& family) {
  const FontLock lock;
  const Pattern wanted(FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family.c_str(), nullptr),
                       &FcPatternDestroy);
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result = FcResultNoMatch;
  const Pattern match(FcFontMatch(nullptr, wanted.get(), &result), &FcPatternDestroy);
  Face face{.wanted = family, .found = "", .file = "", .letters = has_letters(match)};
  if (const char* file = text_of(match, FC_FILE)) face.file = file;
  // A face may have its family's name in several languages, and a style's own.
  for (int i = 0; const char* name = text_of(match, FC_FAMILY, i); ++i)
    if (i == 0 || family == name) face.found = name;
  return face;
}

}  // namespace orrery::exporter
