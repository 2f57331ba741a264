#include "app/export/math/script_signs.h"

namespace orrery::exporter::math {

SignGrowth sign_growth(const Node& symbol, int script) {
  if (script == 0 || symbol.big) return {};
  // Widths of lmsy7 and lmsy5 over 0.7 and 0.5 of lmsy10's: 1.148 and 1.393 for − and <, 1.127 and 1.321 for +.
  const double grown = script == 1 ? 1.14 : 1.36;
  switch (symbol.code) {
    case U'/':
    case U'|':
    case U'∣':
      return {1, grown};  // as tall as a line is, whatever its size
    case U'⊤':
    case U'⊥':
      return {grown, grown};
    default:
      break;
  }
  switch (symbol.atom) {
    case Atom::binary:
    case Atom::relation:
      return {grown, grown};
    case Atom::open:
    case Atom::close:
      return {1, grown};
    default:
      return {};
  }
}

}  // namespace orrery::exporter::math
