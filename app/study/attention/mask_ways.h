// The masks that attention/masks sets side by side: what the op lets through of each, and the rule of each in one line.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "app/study/twin.h"
#include "core/attention/mask.h"

namespace orrery::study {

enum class MaskWay : std::uint8_t { causal, window, before, chunked, prefix, documents, padding, alibi };

/// Where the filling stands: before the text or behind it, and whether queries also see what comes after them.
enum class Filling : std::uint8_t { left, right, encoder };

struct MaskFacts {
  MaskWay way;
  const char* id;       ///< as chosen
  const char* heading;  ///< of its panel
  const char* column;   ///< of a table, and what the title calls it
};
inline constexpr std::array<MaskFacts, 8> mask_facts{{
    {MaskWay::causal, "causal", "Causal", "causal"},
    {MaskWay::window, "window", "Window", "window"},
    {MaskWay::before, "before", "Window before it", "window before it"},
    {MaskWay::chunked, "chunked", "Chunks", "chunks"},
    {MaskWay::prefix, "prefix", "Prefix", "prefix"},
    {MaskWay::documents, "documents", "Documents", "documents"},
    {MaskWay::padding, "padding", "Padding", "padding"},
    {MaskWay::alibi, "alibi", "ALiBi", "ALiBi"},
}};

/// One text of so many tokens, and every mask's own number.
struct MaskSizes {
  tensor::Index tokens = 12;
  tensor::Index window = 4, chunk = 4, prefix = 4;
  std::vector<double> lengths{};  ///< of documents, one after another; what is left is one more
  tensor::Index filled = 3;
  Filling filling = Filling::left;
  double slope = 0.5;

  std::vector<double> documents() const;             ///< of every token its document's number
  std::vector<std::uint8_t> seen_by_anyone() const;  ///< 0: filling
};

/// What the op of scores makes of zeros: 0 where a key is seen, −∞ where not; of ALiBi its bias.
twin::Matrix let_through(const Run&, MaskWay, const MaskSizes&);
/// The rule itself, in one line each.
bool sees(MaskWay, const MaskSizes&, tensor::Index query, tensor::Index key);

/// After 0, 1, 2 … layers: from how many tokens something has reached this one.
std::vector<double> reach(const twin::Matrix& let_through, tensor::Index token, tensor::Index layers);

}  // namespace orrery::study
