// Every weight of a model, from its card: one list from which parameters and operations are counted alike.
//
// Counted    what the published files hold: all weights of layers, tables and the map to the vocabulary, each once. Of BERT
//            and its kin the pooler belongs to it and the masked-language head does not, as in their files; heads of other
//            media, of several tokens ahead and buffers do not.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/card.h"

namespace orrery::model {

enum class Part : std::uint8_t { embedding, attention, feed_forward, norm, head, other };
inline constexpr int part_count = 6;
std::string_view name(Part);  ///< "feed_forward"

/// For which tokens a matrix is multiplied: none (a table, a vector), each, or each of the source that an encoder reads.
enum class Passed : std::uint8_t { never, by_token, by_source };

/// rows × cols numbers, as often as there are copies; vectors have one row.
struct Weight {
  Part part = Part::other;
  std::string_view name;  ///< "query", "up"
  tensor::Index rows = 1, cols = 1;
  tensor::Index copies = 1;
  tensor::Index active = 1;  ///< copies that a token passes: of experts the chosen ones
  Passed passed = Passed::never;
  bool shared = false;  ///< with another that is counted: multiplied, and no parameters of its own

  double size() const { return static_cast<double>(rows) * static_cast<double>(cols); }
};

/// Throws Failure unless card.countable().
std::vector<Weight> weights_of(const Card&);

/// Copies whose weights some of so many tokens meet, on average, where each chooses its experts evenly and for itself:
/// E (1 − (1 − k/E)^n) of E.
double copies_met(const Weight&, double tokens);

/// Norms of the model's width in one layer: of its two steps or, with cross attention, three.
tensor::Index norms_of_a_layer(const Card&, tensor::Index steps);

struct Parameters {
  double total = 0;
  double active = 0;  ///< what one token meets: of the experts the chosen ones; tables whole
  std::array<double, part_count> parts{};
  double of(Part part) const { return parts[static_cast<std::size_t>(part)]; }
};
Parameters parameters_of(const Card&);

}  // namespace orrery::model
