#include "app/study/attention/map_series.h"

#include <algorithm>
#include <cmath>

#include "app/study/attention/map_places.h"

namespace orrery::study {
namespace {

using attention::Extremes;
using attention::KeyRange;
using attention::ScoreBlock;
using attention::ScoreMap;
using attention::Shows;
using tensor::Index;

constexpr double keys_looked_through = 4096;

std::vector<KeyRange> sixteenths(KeyRange all) {
  constexpr Index most = 16;
  const Index count = std::min(most, all.count());
  std::vector<KeyRange> parts;
  for (Index i = 0; i < count; ++i)
    parts.push_back({all.first + all.count() * i / count, all.first + all.count() * (i + 1) / count});
  return parts;
}

}  // namespace

std::vector<Distances> distances_up_to(Index last) {
  const double step = std::exp2(1.0 / 6);
  std::vector<Distances> parts;
  for (Index first = 1; first <= last;) {
    const auto end = std::max<Index>(first + 1, std::llround(number(first) * step));
    parts.push_back({first, std::min(end, last + 1)});
    first = end;
  }
  return parts;
}

Series scores_by_distance(const ScoreMap& map, Index query) {
  std::vector<double> middle, keys, mean, lowest, highest, looked_through;
  for (const Distances& part : distances_up_to(query)) {
    const ScoreBlock block{{query, query + 1}, {query - part.end + 1, query - part.first + 1}};
    const Extremes found = map.extremes(block, keys_looked_through);
    middle.push_back(std::sqrt(number(part.first) * number(part.end - 1)));
    keys.push_back(block.cells());
    mean.push_back(map.mean(block));
    lowest.push_back(found.lowest.lo);
    highest.push_back(found.highest.hi);
    looked_through.push_back(block.cells() <= keys_looked_through ? 1 : 0);
  }
  Series row("row", {"distance", "tokens", middle});
  return std::move(row.add("keys", keys)
                       .add("mean", mean)
                       .add("none below", lowest)
                       .add("none above", highest)
                       .add("looked through", looked_through));
}

Series means_by_size(const Run& run, const ScoreMap& map, const Independent& alone, std::uint64_t seed) {
  constexpr int blocks = 12;
  constexpr std::uint32_t stream = 11;
  std::vector<double> sizes, means, signs;
  for (Index size = 1; size <= map.tokens(); size *= 2) {
    run.check();
    const Places random(seed, stream, map.tokens(), size);
    double square = 0;
    for (int i = 0; i < blocks; ++i) {
      const double mean = map.mean(random.block(static_cast<std::uint64_t>(i)));
      square += mean * mean / blocks;
    }
    sizes.push_back(number(size));
    means.push_back(std::sqrt(square));
    signs.push_back(map.scale() * alone.square * std::sqrt(number(map.queries().width())) / number(size));
  }
  Series series("blocks", {"side", "tokens", sizes});
  return std::move(series.add("these scores", means).add(std::string(alone.name), signs));
}

figure::Table way_down(const Run& run, const ScoreMap& map) {
  constexpr double few = 256.0 * 256.0;
  figure::Table way{"way_down",
                    {{.name = "step"},
                     {.name = "first query", .unit = "tokens", .digits = 12},
                     {.name = "queries", .digits = 12},
                     {.name = "first key", .unit = "tokens", .digits = 12},
                     {.name = "keys", .digits = 12},
                     {.name = "no score above"}}};
  ScoreBlock block{{0, map.tokens()}, {0, map.tokens()}};
  const auto note = [&](double bound) {
    add_row(way, way.columns[0].values.size(), block.queries.first, block.queries.count(), block.keys.first,
            block.keys.count(), bound);
  };
  note(map.bounds(block).highest.hi);
  while (block.cells() > 1) {
    run.check();
    const std::vector<KeyRange> down = sixteenths(block.queries), across = sixteenths(block.keys);
    const std::vector<float> highest = map.map(down, across, Shows::highest, few);
    const auto best = static_cast<std::size_t>(std::ranges::max_element(highest) - highest.begin());
    block = {down[best / across.size()], across[best % across.size()]};
    note(block.cells() > 1 ? number(highest[best]) : map.cell(block.queries.first, block.keys.first));
  }
  return way;
}

}  // namespace orrery::study
