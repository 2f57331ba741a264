// How many parameters published models have, by those who published them.
#pragma once

#include <span>
#include <string_view>

namespace orrery::model {

struct PublishedCount {
  std::string_view model;  ///< as the cards are named
  double count = 0;
  bool exact = true;         ///< of a file's weights; else as it was rounded: within 0.5 %
  std::string_view counted;  ///< what it counts
  std::string_view source;
};

/// In alphabetical order.
std::span<const PublishedCount> published_counts();
/// nullptr: nobody published one that can be compared.
const PublishedCount* published_count(std::string_view model);

}  // namespace orrery::model
