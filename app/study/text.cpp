#include "app/study/text.h"

#include <charconv>
#include <cmath>

#include "core/parameter/parameter.h"

namespace orrery::study {
namespace {

constexpr const char* thin_space = "\u2009";
constexpr const char* minus = "\u2212";

std::string with_true_minus(std::string text) {
  if (!text.empty() && text[0] == '-') text.replace(0, 1, minus);
  return text;
}

}  // namespace

std::string grouped(double x) {
  std::string digits = parameter::shortest(std::abs(x));
  const bool whole = digits.find_first_not_of("0123456789") == std::string::npos;
  if (whole && digits.size() > 4)
    for (std::size_t at = digits.size() - 3; at < digits.size(); at -= 3) {
      if (at == 0) break;
      digits.insert(at, thin_space);
    }
  return (x < 0 ? minus : "") + digits;
}

std::string rounded_text(double x, int significant) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, significant).ptr;
  return with_true_minus(std::string(buffer, end));
}

}  // namespace orrery::study
