#include "core/attention/sum_pieces.h"

namespace orrery::attention {
namespace {

constexpr tensor::Index most_in_a_piece = 1 << 14;  // keys

}  // namespace

std::vector<SumColumn> sum_columns(const std::vector<KeyRange>& parts, KeyRange all) {
  std::vector<SumColumn> columns;
  std::size_t count = parts.size();
  tensor::Index covered = all.first;
  const auto rest_up_to = [&](tensor::Index end) {
    for (; covered < std::min(end, all.end); ++count) {
      const tensor::Index next = std::min({covered + most_in_a_piece, end, all.end});
      columns.push_back({{covered, next}, count, count + 1});
      covered = next;
    }
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    rest_up_to(parts[i].first);
    columns.push_back({parts[i], i, count});
    covered = std::max(covered, parts[i].end);
  }
  rest_up_to(all.end);
  return columns;
}

std::vector<SumPiece> sum_pieces(const std::vector<SumColumn>& columns) {
  std::vector<SumPiece> pieces;
  tensor::Index keys = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool beside = i > 0 && columns[i].keys.first == columns[i - 1].keys.end;
    if (pieces.empty() || !beside || keys + columns[i].keys.count() > most_in_a_piece) {
      pieces.push_back({i, i});
      keys = 0;
    }
    keys += columns[i].keys.count();
    pieces.back().end = i + 1;
  }
  return pieces;
}

}  // namespace orrery::attention
