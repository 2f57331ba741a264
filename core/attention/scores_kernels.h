// The inner loops of scores in double, compiled for every kind of processor. Plain pointers, because nothing that the
// linker could merge may be compiled into them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orrery::attention {

/// As many queries by as many keys as the processor's registers hold sums of doubles for.
struct DotsTile {
  std::int64_t queries, keys;
};
DotsTile dots_tile();

/// Up to DotsTile::queries queries against all keys.
struct Dots {
  const double* q;  ///< rows of d numbers
  std::int64_t queries, d;
  const double* panels;  ///< of DotsTile::keys keys: d rows of one number a key
  double* out;           ///< DotsTile::queries rows, `stride` apart
  std::int64_t stride;
};

/// Writes the products with the keys from `first` to `end`, multiples of DotsTile::keys.
void dots(const Dots&, std::int64_t first, std::int64_t end);

}  // namespace orrery::attention
