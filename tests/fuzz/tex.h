// The target for TeX: any bytes make a formula and a label, finite, bounded, in bounded time. Called by the test
// here; a fuzzer's entry needs no more than a call of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/export/math/parse.h"
#include "app/export/text.h"

namespace orrery::fuzz {

/// What a tree holds, and how deep it is.
struct TreeSize {
  std::size_t nodes = 0;
  int depth = 0;
};

inline TreeSize size_of(const exporter::math::Node& node) {
  TreeSize size{1, 1};
  for (const auto& part : node.parts) {
    const TreeSize inner = size_of(part);
    size.nodes += inner.nodes;
    size.depth = std::max(size.depth, inner.depth + 1);
  }
  return size;
}

/// Throws std::runtime_error where a promise is broken.
inline void read_tex(std::string_view bytes) {
  using exporter::TextSetter;
  static const TextSetter text({"Latin Modern Roman", "Latin Modern Roman", "Latin Modern Math"});
  const auto promise = [&](bool kept, const char* what) {
    if (!kept) throw std::runtime_error(std::string(what) + ": " + std::string(bytes));
  };
  const TreeSize tree = size_of(exporter::math::parse(bytes));
  // A byte makes at most five nodes: _ alone is scripts, nucleus, a row with the source in it, no superscript.
  promise(tree.nodes <= 5 * bytes.size() + 4, "more nodes than the source can mean");
  // A level of braces or of arguments makes at most three levels of nodes (scripts, their row, its part).
  promise(tree.depth <= 3 * 2 * exporter::math::max_depth + 3, "deeper than max_depth allows");

  const figure::Extent extent = text.measure_formula(bytes, 10);
  const double bound =
      500.0 * (static_cast<double>(bytes.size()) + 1);  // \hspace{50em}, 12 bytes, is the widest
  for (const double length : {extent.width, extent.ascent, extent.descent}) {
    promise(std::isfinite(length), "a length is not finite");
    promise(std::abs(length) <= bound, "a length is without measure");
  }
  const figure::Extent label = text.measure(std::string(bytes) + '$' + std::string(bytes) + '$', {});
  promise(std::isfinite(label.width), "a label's width is not finite");
}

}  // namespace orrery::fuzz
