#include "app/language/error.h"

#include <algorithm>
#include <array>
#include <optional>

#include "app/language/dictionary.h"

namespace orrery::language {
namespace {

/// What an error says after what is wrong: what would be right, what there is, what another one said. The longer of two
/// that begin alike is the first.
constexpr std::array<std::string_view, 10> turns{"; allowed when interleaved: ",
                                                 "; allowed are ",
                                                 "; allowed here: ",
                                                 "; allowed: ",
                                                 ", allowed: ",
                                                 "allowed: ",
                                                 "; known: ",
                                                 "; nearest: ",
                                                 "; the last said ",
                                                 " (W: a whole number from 1)"};

constexpr std::string_view colon = ": ";

bool one_word(std::string_view text) {
  return !text.empty() && text.find(' ') == text.npos;
}

/// A parameter, a key, a place in a file. Labels begin with a capital, and are words; paths may hold spaces.
bool is_name(std::string_view text) {
  if (text.starts_with('/') || text.starts_with("~/")) return true;
  if (!one_word(text) || text.find_first_of("'\"") != text.npos) return false;
  return text[0] < 'A' || text[0] > 'Z' || text.find_first_of("./") != text.npos;
}

struct Turn {
  std::size_t at = std::string_view::npos;
  std::string_view words;
};

Turn first_turn(std::string_view text) {
  Turn first;
  for (const std::string_view words : turns)
    if (const std::size_t at = text.find(words); at < first.at) first = {at, words};
  return first;
}

/// "causal, none or sliding:W": the last of several names.
std::optional<std::string> listed(const Dictionary& words, std::string_view text) {
  const std::size_t at = text.rfind(" or ");
  if (at == text.npos || !one_word(text.substr(at + 4))) return std::nullopt;
  for (std::string_view rest = text.substr(0, at); !rest.empty();) {
    const std::size_t end = std::min(rest.find(", "), rest.size());
    if (!one_word(rest.substr(0, end))) return std::nullopt;
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return std::string(text.substr(0, at)) + words.translate(" or ") + std::string(text.substr(at + 4));
}

std::string said(const Dictionary& words, std::string_view text) {
  if (const Turn turn = first_turn(text); turn.at != text.npos) {
    const std::string_view after = text.substr(turn.at + turn.words.size());
    return said(words, text.substr(0, turn.at)) + words.translate(turn.words) +
           (one_word(after) ? std::string(after) : said(words, after));
  }
  const std::size_t end = text.find(colon);
  const std::string_view subject = text.substr(0, end);
  const auto about = [&](std::string_view who) {
    return std::string(who) + words.translate(colon) + said(words, text.substr(end + colon.size()));
  };
  if (end != text.npos && is_name(subject)) return about(subject);
  if (const std::string* known = end != text.npos ? words.exact(subject) : nullptr) return about(*known);
  if (auto found = words.find(text)) return *found;
  if (const auto names = listed(words, text)) return *names;
  return end != text.npos ? about(words.translate(subject)) : std::string(text);
}

}  // namespace

std::string say_error(Language language, std::string_view english) {
  if (language == Language::en) return std::string(english);
  return said(dictionary(language), english);
}

}  // namespace orrery::language
