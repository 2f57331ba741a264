// .safetensors files for tests, by the format's description: the length of a header, the header, the data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery::support {

struct RawTensor {
  std::string name, dtype;
  std::string shape;  ///< as JSON has it: "[2,3]"
  std::string data;
};

inline std::string safetensors_packed(const std::string& header, const std::string& data) {
  std::string bytes;
  for (int b = 0; b < 8; ++b) bytes += static_cast<char>(header.size() >> (8 * b) & 0xff);
  return bytes + header + data;
}

inline std::string safetensors_bytes(const std::vector<RawTensor>& tensors) {
  std::string header = "{", data;
  for (const RawTensor& t : tensors) {
    header += (header.size() > 1 ? ",\"" : "\"") + t.name + R"(":{"dtype":")" + t.dtype + R"(","shape":)" +
              t.shape + R"(,"data_offsets":[)" + std::to_string(data.size()) + "," +
              std::to_string(data.size() + t.data.size()) + "]}";
    data += t.data;
  }
  return safetensors_packed(header + "}", data);
}

/// Each float in its four bytes, as little-endian machines have them.
inline std::string float_bytes(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

}  // namespace orrery::support
