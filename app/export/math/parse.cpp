#include "app/export/math/parse.h"

#include <glib.h>

#include <algorithm>
#include <utility>

#include "app/export/math/parser.h"
#include "app/export/utf8.h"

namespace orrery::exporter::math {
namespace {

bool is_letter(char c) {
  return g_ascii_isalpha(c);
}

bool only_primes(const Node& row) {
  return std::ranges::all_of(row.parts, [](const Node& part) { return part.code == U'′'; });
}

}  // namespace

Node unknown(std::string_view source) {
  Node node;
  node.kind = Node::Kind::unknown;
  node.text = source;
  return node;
}

Node symbol(const Symbol& s, Alphabet alphabet) {
  Node node;
  node.kind = Node::Kind::symbol;
  node.atom = s.atom;
  node.code = in_alphabet(s.code, alphabet);
  node.big = s.big;
  node.limits = s.limits;
  return node;
}

Node words(std::string_view text, Atom atom, Limits limits) {
  Node node;
  node.kind = Node::Kind::words;
  node.atom = atom;
  node.text = text;
  node.limits = limits;
  return node;
}

Node with_parts(Node::Kind kind, std::vector<Node> parts) {
  Node node;
  node.kind = kind;
  node.parts = std::move(parts);
  return node;
}

Node space(double mu) {
  Node node;
  node.kind = Node::Kind::space;
  node.length = mu;
  return node;
}

Node as_row(Node node) {
  if (node.kind == Node::Kind::row) return node;
  return with_parts(Node::Kind::row, {std::move(node)});
}

Parser::Deeper::Deeper(Parser& p) : parser(p) {
  if (parser.depth_ >= 2 * max_depth) throw TooDeep{};
  ++parser.depth_;
}

void Parser::skip_blanks() {
  while (!done() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
}

bool Parser::take(char c) {
  if (done() || peek() != c) return false;
  ++at_;
  return true;
}

char32_t Parser::take_character() {
  const char* here = text_.data() + at_;
  const char32_t code = g_utf8_get_char(here);
  at_ = std::min(text_.size(), at_ + static_cast<std::size_t>(g_utf8_next_char(here) - here));
  return code;
}

std::string_view Parser::take_command() {
  const std::size_t begin = at_;
  if (done()) return {};
  if (is_letter(peek())) {
    while (is_letter(peek())) ++at_;
    const bool starred = peek() == '*' && text_.substr(begin, at_ - begin) == "operatorname";
    if (starred) ++at_;
  } else {
    take_character();
  }
  return text_.substr(begin, at_ - begin);
}

bool Parser::at_command(std::string_view name) const {
  const std::string_view rest = text_.substr(std::min(at_, text_.size()));
  if (rest.size() <= name.size() || rest[0] != '\\' || rest.substr(1, name.size()) != name) return false;
  return !is_letter(name.back()) || rest.size() == name.size() + 1 || !is_letter(rest[name.size() + 1]);
}

bool Parser::take_command_if(std::string_view name) {
  if (!at_command(name)) return false;
  at_ += name.size() + 1;
  return true;
}

std::optional<std::string_view> Parser::raw_group() {
  skip_blanks();
  if (peek() != '{') return std::nullopt;
  int open = 0;
  for (std::size_t i = at_; i < text_.size(); ++i) {
    if (text_[i] == '\\') {
      ++i;
      continue;
    }
    if (text_[i] == '{') ++open;
    if (text_[i] == '}' && --open == 0) {
      const std::string_view inside = text_.substr(at_ + 1, i - at_ - 1);
      at_ = i + 1;
      return inside;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> Parser::raw_brackets() {
  const std::size_t close = peek() == '[' ? text_.find(']', at_) : text_.npos;
  if (close == text_.npos) return std::nullopt;
  const std::string_view inside = text_.substr(at_ + 1, close - at_ - 1);
  at_ = close + 1;
  return inside;
}

Node Parser::formula() {
  return row(Stop::end);
}

bool Parser::ends(Stop stop) const {
  switch (stop) {
    case Stop::brace:
      return peek() == '}';
    case Stop::bracket:
      return peek() == ']';
    case Stop::right:
      return at_command("right") || at_command("middle");
    case Stop::line:
      if (peek() == '}') return true;
      [[fallthrough]];
    case Stop::cell:
      return peek() == '&' || at_command("\\") || at_command("end") || at_command("cr");
    case Stop::end:
      break;
  }
  return false;
}

Node Parser::row(Stop stop) {
  const Deeper deeper(*this);
  Node result;
  for (skip_blanks(); !done() && !ends(stop); skip_blanks()) {
    // A second index on one atom: TeX refuses it, and so does a reader.
    const bool twice = (peek() == '^' || peek() == '_') && !result.parts.empty() &&
                       result.parts.back().kind == Node::Kind::scripts;
    result.parts.push_back(twice ? unknown(text_.substr(at_++, 1)) : scripted());
  }
  choose_dots(result.parts);
  return result;
}

/// An atom with the scripts and primes that follow it.
Node Parser::scripted() {
  Node nucleus = peek() == '_' || peek() == '^' || peek() == '\'' ? Node{} : atom();
  std::optional<Node> sub;
  std::optional<Node> sup;
  for (;;) {
    skip_blanks();
    if (take_command_if("limits")) {
      nucleus.limits = Limits::always;
    } else if (take_command_if("nolimits")) {
      nucleus.limits = Limits::beside;
    } else if (peek() == '\'') {
      ++at_;
      if (!sup) sup = Node{};
      sup->parts.push_back(symbol({"", U'′'}, Alphabet::upright));
    } else if (peek() == '_' && !sub) {
      ++at_;
      sub = as_row(argument("_"));
    } else if (peek() == '^' && (!sup || only_primes(*sup))) {
      ++at_;
      Node raised = as_row(argument("^"));
      if (sup) raised.parts.insert(raised.parts.begin(), sup->parts.begin(), sup->parts.end());
      sup = std::move(raised);
    } else {
      break;
    }
  }
  if (!sub && !sup) return nucleus;
  Node result = with_parts(Node::Kind::scripts, {});
  result.atom = nucleus.atom;
  result.parts.push_back(std::move(nucleus));
  result.parts.push_back(sub.value_or(Node{}));
  result.parts.push_back(sup.value_or(Node{}));
  return result;
}

/// What a command takes: a group, or the next single atom. Missing: the command itself, shown as source.
Node Parser::argument(std::string_view command) {
  const Deeper deeper(*this);
  skip_blanks();
  if (done() || peek() == '}' || peek() == '_' || peek() == '^' || peek() == '&' || at_command("right") ||
      at_command("middle") || at_command("\\") || at_command("end")) {
    return unknown(command);
  }
  // A word in \mathrm is read whole, but \mathrm ab is one letter long.
  return peek() == '{' || peek() == '\\' ? atom() : symbol(symbol_of(take_character()), alphabet_);
}

std::vector<Node> Parser::arguments(int count, std::string_view command) {
  std::vector<Node> result;
  while (count-- > 0) result.push_back(argument(command));
  return result;
}

Node Parser::group() {
  Node inside = row(Stop::brace);
  take('}');
  return inside;
}

/// Letters side by side in an upright face are a word, with its kerning. The last one stays by itself where
/// it carries a script.
Node Parser::letters() {
  const std::size_t begin = at_;
  while (is_letter(peek())) ++at_;
  const std::size_t end = at_;
  skip_blanks();
  if (end > begin + 1 && (peek() == '^' || peek() == '_' || peek() == '\'')) {
    at_ = end - 1;
  } else {
    at_ = end;
  }
  const std::string_view word = text_.substr(begin, at_ - begin);
  if (word.size() > 1) return words(word);
  return symbol(symbol_of(static_cast<char32_t>(word[0])), alphabet_);
}

Node Parser::atom() {
  if (take('{')) return group();
  if (take('\\')) return command();
  if (take('~')) return space(6);
  if (peek() == '}' || peek() == '&' || peek() == '_' || peek() == '^' || peek() == '#' || peek() == '%') {
    return unknown(std::string(1, text_[at_++]));
  }
  if (alphabet_ == Alphabet::upright && is_letter(peek())) return letters();
  return symbol(symbol_of(take_character()), alphabet_);
}

Node Parser::command() {
  const std::size_t begin = at_ - 1;
  const std::string_view name = take_command();
  const std::string_view source = text_.substr(begin, at_ - begin);
  if (const auto found = symbol_for(name)) return symbol(*found, alphabet_);
  if (const auto found = function_for(name)) return words(found->text, Atom::op, found->limits);
  if (const auto mu = space_for(name)) return space(*mu);
  if (const auto accent = accent_for(name)) {
    Node node = with_parts(Node::Kind::accent, {argument(source)});
    node.code = accent->code;
    node.reach = accent->reach;
    node.below = accent->below;
    if (name.ends_with("brace") || name.ends_with("bracket")) {
      node.atom = Atom::op;  // its script is a note above or below it
      node.limits = Limits::always;
    }
    return node;
  }
  const Handler handler = handler_for(name);
  return handler ? (this->*handler)({name, source}) : unknown(source);
}

Node parse(std::string_view tex) {
  const std::string text = valid_utf8(tex.substr(0, max_source_bytes + 1));
  if (tex.size() > max_source_bytes) return unknown(text.substr(0, 80) + "…");
  try {
    return Parser(text).formula();
  } catch (const TooDeep&) {
    return unknown(text.size() <= 80 ? text : valid_utf8(text.substr(0, 80)) + "…");
  }
}

}  // namespace orrery::exporter::math
