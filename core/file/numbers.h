// Numbers as files keep them, and as doubles or floats.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/tensor/format.h"

namespace orrery::file {

enum class NumberKind : std::uint8_t { real, brain_real, whole, natural, truth };

/// What one element looks like in a file.
struct NumberType {
  NumberKind kind = NumberKind::real;
  int bytes = 8;
  bool big_endian = false;
};

/// The format that the numbers are exact in; whole numbers and truths are carried as f64.
tensor::Format exact_format(const NumberType&);

/// Whole numbers of 8 bytes may not fit: how many elements are right, from the first on. Fewer than all: the next one is an
/// integer beyond ±2^53, where neighbours fall together and nobody could tell which one was meant. `bytes` holds all of
/// `out`.
std::size_t decode(const NumberType&, std::string_view bytes, std::span<double> out);
/// Real numbers of 4 bytes or fewer, each of which is a float; all of them are right.
void decode_reals(const NumberType&, std::string_view bytes, std::span<float> out);

/// The unsigned number that begins the bytes, least significant byte first.
std::uint64_t little_endian(std::string_view bytes);

}  // namespace orrery::file
