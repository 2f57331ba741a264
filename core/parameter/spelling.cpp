#include "core/parameter/spelling.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/parameter/shown.h"

namespace orrery::parameter {

int edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table d[i][j], the distance of the first i letters of a from the first j of b.
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::vector<std::string> nearest(std::string_view typed, std::span<const std::string_view> known) {
  std::string_view nearest;
  int least = static_cast<int>(typed.size()) / 3 + 1;  // one slip in a short name, two from six letters on
  constexpr int of_a_beginning = 2;                    // of what was not typed to its end: the shortest
  for (const std::string_view name : known) {
    // Who typed very much meant none of them, and the distance costs their product.
    if (typed.size() > name.size() + static_cast<std::size_t>(least)) continue;
    const bool begins = typed.size() > of_a_beginning && name.starts_with(typed);
    const int whole = edit_distance(typed, name), distance = begins ? std::min(whole, of_a_beginning) : whole;
    const bool shorter =
        begins && distance == least && (!nearest.starts_with(typed) || name.size() < nearest.size());
    if (distance <= least && (nearest.empty() || distance < least || shorter)) {
      nearest = name;
      least = distance;
    }
  }
  if (nearest.empty()) return {};
  return {std::string(nearest)};
}

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> known) {
  return english(Complaint().near(nearest(typed, known)));
}

Complaint unknown(Complaint subject, std::string_view typed, std::span<const std::string_view> known) {
  return std::move(subject).found_text(brief(typed)).near(nearest(typed, known)).allowed(known);
}

}  // namespace orrery::parameter
