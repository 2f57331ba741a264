// The text at the head of an .npy file: a Python dictionary with three keys, read by a tokenizer of our own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::file {

/// What one element looks like in the file.
struct NpyType {
  char kind = 'f';  ///< f float, i and u whole numbers, b boolean
  int bytes = 8;
  bool big_endian = false;
};

struct NpyHeader {
  NpyType type;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// "float32", "uint8", "bool"
std::string numpy_name(const NpyType&);

/// Throws Failure naming `origin` and what is wrong.
NpyHeader parse_npy_header(std::string_view text, std::string_view origin);

}  // namespace orrery::file
