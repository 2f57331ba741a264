#include "core/file/numbers.h"

#include <bit>
#include <cstring>

namespace orrery::file {
namespace {

using tensor::Format;

static_assert(std::endian::native == std::endian::little);

template <class Bits>
Bits bits_at(const char* bytes, bool big_endian) {
  Bits bits;
  std::memcpy(&bits, bytes, sizeof bits);
  if constexpr (sizeof bits == 2) bits = big_endian ? static_cast<Bits>(__builtin_bswap16(bits)) : bits;
  if constexpr (sizeof bits == 4) bits = big_endian ? __builtin_bswap32(bits) : bits;
  if constexpr (sizeof bits == 8) bits = big_endian ? __builtin_bswap64(bits) : bits;
  return bits;
}

/// `value` makes a number of the bits of each; all of them fit.
template <class Bits, class T, class Value>
std::size_t decode_all(bool big_endian, std::string_view bytes, std::span<T> out, Value value) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<T>(value(bits_at<Bits>(bytes.data() + i * sizeof(Bits), big_endian)));
  return out.size();
}

constexpr std::int64_t exact = std::int64_t{1} << 53;

std::size_t decode_whole64(bool big_endian, std::string_view bytes, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto n = static_cast<std::int64_t>(bits_at<std::uint64_t>(bytes.data() + i * 8, big_endian));
    if (n < -exact || n > exact) return i;
    out[i] = static_cast<double>(n);
  }
  return out.size();
}

std::size_t decode_natural64(bool big_endian, std::string_view bytes, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto n = bits_at<std::uint64_t>(bytes.data() + i * 8, big_endian);
    if (n > std::uint64_t{exact}) return i;
    out[i] = static_cast<double>(n);
  }
  return out.size();
}

/// What makes a double of the bits of a whole number: an object, so that it is called without a call.
template <class Number>
constexpr auto as_number = [](auto bits) { return static_cast<double>(static_cast<Number>(bits)); };

template <class T>
void decode_floats(const NumberType& type, std::string_view bytes, std::span<T> out) {
  const bool big = type.big_endian;
  if (type.kind == NumberKind::brain_real)
    decode_all<std::uint16_t>(big, bytes, out, [](auto bits) {
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
    });
  else if (type.bytes == 4)
    decode_all<std::uint32_t>(big, bytes, out, [](auto bits) { return std::bit_cast<float>(bits); });
  else
    decode_all<std::uint16_t>(big, bytes, out, [](auto bits) {
      return static_cast<float>(Eigen::numext::bit_cast<tensor::f16>(bits));
    });
}

}  // namespace

Format exact_format(const NumberType& type) {
  if (type.kind == NumberKind::brain_real) return Format::bf16;
  if (type.kind != NumberKind::real || type.bytes == 8) return Format::f64;
  return type.bytes == 4 ? Format::f32 : Format::f16;
}

std::size_t decode(const NumberType& type, std::string_view bytes, std::span<double> out) {
  const bool big = type.big_endian;
  switch (type.kind) {
    case NumberKind::truth:
      return decode_all<std::uint8_t>(big, bytes, out, [](auto bits) { return bits != 0 ? 1.0 : 0.0; });
    case NumberKind::natural:
      if (type.bytes == 1) return decode_all<std::uint8_t>(big, bytes, out, as_number<std::uint8_t>);
      if (type.bytes == 2) return decode_all<std::uint16_t>(big, bytes, out, as_number<std::uint16_t>);
      if (type.bytes == 4) return decode_all<std::uint32_t>(big, bytes, out, as_number<std::uint32_t>);
      return decode_natural64(big, bytes, out);
    case NumberKind::whole:
      if (type.bytes == 1) return decode_all<std::uint8_t>(big, bytes, out, as_number<std::int8_t>);
      if (type.bytes == 2) return decode_all<std::uint16_t>(big, bytes, out, as_number<std::int16_t>);
      if (type.bytes == 4) return decode_all<std::uint32_t>(big, bytes, out, as_number<std::int32_t>);
      return decode_whole64(big, bytes, out);
    case NumberKind::brain_real:
    case NumberKind::real:
      break;
  }
  if (type.bytes == 8)
    return decode_all<std::uint64_t>(big, bytes, out, [](auto bits) { return std::bit_cast<double>(bits); });
  decode_floats(type, bytes, out);
  return out.size();
}

void decode_reals(const NumberType& type, std::string_view bytes, std::span<float> out) {
  decode_floats(type, bytes, out);
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace orrery::file
