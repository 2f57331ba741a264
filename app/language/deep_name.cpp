#include "app/language/deep_name.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace orrery::language {
namespace {

/// Behind a string that begins at `i`: "…", '…', """…""" or '''…'''.
std::size_t string_end(std::string_view text, std::size_t i) {
  const char quote = text[i];
  const std::string three(3, quote);
  const bool many_lines = text.substr(i, 3) == three, escapes = quote == '"';
  i += many_lines ? 3 : 1;
  for (; i < text.size(); ++i) {
    if (escapes && text[i] == '\\') {
      ++i;
    } else if (many_lines && text.substr(i, 3) == three) {
      i += 3;
      for (int inside = 0; inside < 2 && i < text.size() && text[i] == quote; ++inside) ++i;
      return i;
    } else if (!many_lines && (text[i] == quote || text[i] == '\n')) {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace

std::optional<std::size_t> deep_name(std::string_view text) {
  int dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = string_end(text, i);
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    const bool in_name =
        std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == ' ' || c == '\t';
    if (c == '.') {
      if (++dots >= most_name_parts) return i;
    } else if (!in_name) {
      dots = 0;
    }
    ++i;
  }
  return std::nullopt;
}

}  // namespace orrery::language
