// FNV-1a of 64 bits, for names that follow from what they name: the same on every machine. No guard against those who make two
// of one hash on purpose.
//
//   h ← (h ⊕ byte) · p    from h = 0xcbf29ce484222325, p = 2⁴⁰ + 0x1b3
//
// Source: Fowler, Noll, Vo; draft-eastlake-fnv, section 5 (constants of 64 bits).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::tensor {

class Hash {
 public:
  constexpr Hash& add(unsigned char byte) {
    value_ = (value_ ^ byte) * 0x100000001b3;
    return *this;
  }
  constexpr Hash& add(std::string_view bytes) {
    for (const char c : bytes) add(static_cast<unsigned char>(c));
    return *this;
  }
  /// The eight bytes of a number, the lowest first.
  constexpr Hash& add_number(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) add(static_cast<unsigned char>(number >> (8 * byte)));
    return *this;
  }

  constexpr std::uint64_t value() const { return value_; }
  /// In sixteen digits, the highest first.
  std::string digits() const {
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(value_ >> shift) & 15];
    return text;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace orrery::tensor
