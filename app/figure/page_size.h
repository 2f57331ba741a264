// Sizes of pages as people write them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/figure/layout.h"

namespace orrery::figure {

/// A size that has a name, because documents keep asking for it.
struct NamedSize {
  std::string_view name;
  double width_mm, height_mm;
  std::string_view use;
  bool stands_alone = false;  ///< has no caption below it: its figure says its title itself
};
std::span<const NamedSize> named_sizes();
/// Whether a page is one of those that have their titles on them unless somebody says otherwise.
bool stands_alone(Size);
/// "column, two-columns, a4-text, slide"
std::string size_names();

inline constexpr double least_side = 20;    ///< points: less holds no tick label
inline constexpr double most_side = 14400;  ///< points: 200 inches, PDF's own limit

/// "12cm×8cm", "85mm x 60mm", "340pt×212pt", "3in×2in", or a name. Throws InvalidArgument saying what is allowed.
Size parse_size(std::string_view);

/// The shortest text that parse_size reads back as exactly this size: in centimetres where they are round.
std::string size_text(Size);

/// The nearest size whose sides are so many tenths of a millimetre: short to say.
Size in_tenths_of_millimetres(Size);

}  // namespace orrery::figure
