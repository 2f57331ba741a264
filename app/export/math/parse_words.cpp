// Upright words, alphabets, and prose inside formulas.
#include <glib.h>

#include <algorithm>
#include <utility>

#include "app/export/math/parser.h"
#include "app/export/utf8.h"

namespace orrery::exporter::math {

/// amsmath: an upright word, in which - and * are the hyphen and the asterisk of prose. Spaces are commands.
Node Parser::operator_name(Call call) {
  const Limits limits = call.name.ends_with('*') ? Limits::in_display : Limits::beside;
  const std::size_t begin = at_;
  if (const auto inside = raw_group()) {
    std::string name(*inside);
    std::erase(name, ' ');
    const auto plain = [](char c) {
      return g_ascii_isalnum(c) || c == '-' || c == '*' || c == '.' || c == '/';
    };
    if (!name.empty() && std::ranges::all_of(name, plain)) return words(name, Atom::op, limits);
  }
  at_ = begin;
  const Alphabet before = std::exchange(alphabet_, Alphabet::upright);
  Node node = as_row(argument(call.source));
  alphabet_ = before;
  node.atom = Atom::op;
  node.limits = limits;
  return node;
}

Node Parser::in_alphabet_of(Call call) {
  const Alphabet before = std::exchange(alphabet_, alphabet_for(call.name).value_or(alphabet_));
  Node inside = argument(call.source);
  alphabet_ = before;
  return inside;
}

Node Parser::text(Call call) {
  const auto inside = raw_group();
  if (!inside) return unknown(call.source);
  return prose(*inside, alphabet_for(call.name).value_or(Alphabet::upright));
}

/// Prose inside a formula, with formulas inside it. Its groups only hold together; its commands are escaped
/// signs, all others are shown.
Node Parser::prose(std::string_view inside, Alphabet face) {
  Node result;
  std::string run;
  const auto flush = [&] {
    if (!run.empty()) result.parts.push_back(words(std::exchange(run, {})));
  };
  Parser reader(inside);
  reader.depth_ = depth_ + 1;
  while (!reader.done()) {
    if (reader.take('{') || reader.take('}')) continue;
    if (reader.take('~')) {
      run += ' ';
    } else if (reader.take('$')) {
      const std::size_t begin = reader.at_, close = std::min(inside.find('$', begin), inside.size());
      Parser formula(inside.substr(begin, close - begin));
      formula.depth_ = reader.depth_;
      flush();
      result.parts.push_back(formula.row(Stop::end));
      reader.at_ = std::min(close + 1, inside.size());
    } else if (reader.take('\\')) {
      const std::string_view name = reader.take_command();
      if (name.empty() || g_ascii_isalpha(name[0])) {
        flush();
        result.parts.push_back(unknown("\\" + std::string(name)));
      } else {
        run += name;
      }
    } else {
      const char32_t letter = reader.take_character();
      run += utf8(face == Alphabet::upright ? letter : in_alphabet(letter, face));
    }
  }
  flush();
  if (result.parts.size() == 1) return std::move(result.parts.front());
  return result;
}

}  // namespace orrery::exporter::math
