// The text at the head of an .npy file: a Python dictionary with three keys, read by a tokenizer of our own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/file/numbers.h"

namespace orrery::file {

struct NpyHeader {
  NumberType type;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// "float32", "uint8", "bool"; "bfloat16", as ml_dtypes calls it
std::string numpy_name(const NumberType&);

/// Throws Failure naming `origin` and what is wrong.
NpyHeader parse_npy_header(std::string_view text, std::string_view origin);

}  // namespace orrery::file
