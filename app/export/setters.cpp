#include "app/export/setters.h"

#include <map>

#include "app/export/font_lock.h"
#include "app/export/room_for_fonts.h"
#include "app/export/unopened_typefaces.h"

namespace orrery::exporter {
namespace {

constexpr std::size_t most_setters = 32;  // a person may try many fonts in one window

}  // namespace

std::shared_ptr<const TextSetter> shared_setter(const figure::Fonts& fonts) {
  const FontLock lock;
  static std::map<std::string, std::shared_ptr<const TextSetter>> setters;
  const std::string key = fonts.words + '\n' + fonts.numbers + '\n' + fonts.math;
  if (const auto known = setters.find(key); known != setters.end()) return known->second;
  require_room_for_fonts();
  watch_typefaces();
  if (setters.size() >= most_setters) setters.clear();
  return setters[key] = std::make_shared<const TextSetter>(fonts);
}

}  // namespace orrery::exporter
