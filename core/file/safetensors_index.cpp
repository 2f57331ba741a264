#include "core/file/safetensors_index.h"

#include <algorithm>
#include <utility>

#include "core/file/json.h"
#include "core/file/tensor_name.h"
#include "core/file/tensor_path.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

using nlohmann::json;

constexpr std::size_t most_places = 1'000'000;
constexpr int index_depth = 8;  // metadata may hold what it likes

/// A name and no path.
bool lies_beside(std::string_view shard) {
  return fault_of_name(shard).empty() && shard.find_first_of("/\\") == std::string_view::npos &&
         is_safetensors(shard) && !shard.starts_with('.');
}

SafetensorsIndex::Place place_of(const std::string& tensor, const json& shard, std::string_view origin) {
  if (const Complaint fault = fault_of_name(tensor); !fault.empty()) refuse_file(origin, fault);
  if (!shard.is_string())
    refuse_file(origin, wrong("weight_map has no file for tensor {}", shown_name(tensor)));
  const auto& name = shard.get_ref<const std::string&>();
  if (!lies_beside(name))
    refuse_file(origin, Complaint()
                            .found(shown_name(name))
                            .fault("tensor {} is said to lie in {}", shown_name(tensor), shown_name(name))
                            .allowed("the name of a .safetensors file beside the index"));
  return {tensor, name};
}

}  // namespace

const SafetensorsIndex::Place* SafetensorsIndex::find(std::string_view tensor) const {
  const auto at = std::ranges::lower_bound(places, tensor, {}, &Place::tensor);
  return at != places.end() && at->tensor == tensor ? &*at : nullptr;
}

std::vector<std::string> SafetensorsIndex::shards() const {
  std::vector<std::string> all;
  all.reserve(places.size());
  for (const Place& place : places) all.push_back(place.shard);
  std::ranges::sort(all);
  const auto again = std::ranges::unique(all);
  all.erase(again.begin(), again.end());
  return all;
}

SafetensorsIndex parse_safetensors_index(std::string_view text, std::string_view origin) {
  const auto repeated = [&](const std::string& key) {
    refuse_file(origin, wrong("key {} stands there twice in one object", shown_name(key)));
  };
  SafetensorsIndex index;
  bool mapped = false;
  const auto member = [&](const std::string& key, const json& value) {
    if (key != "weight_map") return;
    if (std::exchange(mapped, true)) repeated(key);
    if (!value.is_object()) refuse_file(origin, wrong("weight_map is no JSON object"));
    if (value.size() > most_places) refuse_file(origin, wrong("has more than {} tensors", most_places));
    for (const auto& [tensor, shard] : value.items()) index.places.push_back(place_of(tensor, shard, origin));
  };
  const Complaint no_object = wrong("is no index of .safetensors files: it is no JSON object");
  try {
    const JsonReading reading{.max_depth = index_depth, .on_repeated = repeated, .on_member = member};
    if (!read_json(text, reading).is_object()) refuse_file(origin, no_object);
  } catch (const json::exception&) {
    refuse_file(origin, no_object);
  } catch (const TooDeep&) {
    refuse_file(origin, no_object);
  }
  if (!mapped) refuse_file(origin, wrong("is no index of .safetensors files: it has no weight_map"));
  std::ranges::sort(index.places, {}, &SafetensorsIndex::Place::tensor);
  return index;
}

}  // namespace orrery::file
