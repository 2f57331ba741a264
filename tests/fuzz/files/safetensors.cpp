// The header of a .safetensors file, and the index of a model that lies in several.
#include "core/file/safetensors.h"

#include <algorithm>
#include <cstring>

#include "core/file/safetensors_index.h"
#include "tests/fuzz/target.h"

namespace orrery::fuzz::safetensors {
namespace {

void read(std::string_view bytes) {
  or_refuse([&] {
    const std::uint64_t size = bytes.size();
    const std::uint64_t header = file::safetensors_header_size(bytes.substr(0, 8), size, "fuzz");
    promise(header <= size, "a header behind the file's end");
    for (const file::SafetensorsEntry& each : file::parse_safetensors_header(bytes, size, "fuzz").entries)
      promise(each.begin <= each.end && each.end <= size, "a tensor outside the file");
  });
}

void read_index(std::string_view bytes) {
  or_refuse([&] {
    const file::SafetensorsIndex index = file::parse_safetensors_index(bytes, "fuzz");
    for (const auto& place : index.places) {
      promise(index.find(place.tensor) != nullptr, "a tensor that cannot be found by its name");
      promise(place.shard.find('/') == std::string::npos, "a shard outside the folder");
    }
    promise(index.shards().size() <= index.places.size(), "more shards than tensors");
  });
}

/// Behind its length.
std::string with_length(std::string header) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header;
}

const Registered header({"safetensors",
                         read,
                         {{"{", R"("a#":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)",
                           R"("z":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})", with_length},
                          {"", "[", "", with_length},
                          {"", R"({"a":)", "", with_length},
                          {R"({"a":{"dtype":"F32","shape":[)", "1,", R"(1],"data_offsets":[0,0]}})",
                           with_length},
                          {R"({"__metadata__":{)", R"("k#":"v",)", R"("z":"v"}})", with_length},
                          {"{}", " ", "", with_length}}});
const Registered index({"safetensors_index",
                        read_index,
                        {{R"({"weight_map":{)", R"("a#":"m.safetensors",)", R"("z":"m.safetensors"}})"},
                         {"", "[", ""},
                         {"", R"({"a":)", ""},
                         {R"({"weight_map":{"a":")", "x", R"("}})"}}});

}  // namespace
}  // namespace orrery::fuzz::safetensors
