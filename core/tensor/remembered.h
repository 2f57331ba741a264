// What a map keeps of what was made before.
#pragma once

namespace orrery::tensor {

/// The value of the key, made now if there is none. It gets its place when it is made and not before: where make() throws, as
/// where memory is short, nothing stays that the next one would take for it. (map[key] = {…, f()} is no such thing: GCC 12
/// makes the place first, though the standard wants it last.)
template <class Map, class Make>
typename Map::mapped_type& remembered(Map& map, const typename Map::key_type& key, Make make) {
  const auto known = map.find(key);
  return known != map.end() ? known->second : map.emplace(key, make()).first->second;
}

}  // namespace orrery::tensor
