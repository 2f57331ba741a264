#include "app/export/math/parse.h"

#include <glib.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/export/math/symbols.h"
#include "app/export/utf8.h"

namespace orrery::exporter::math {
namespace {

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

Node words(std::string_view text, Atom atom, bool limits = false) {
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

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct TooDeep {};

class Parser {
 public:
  explicit Parser(std::string_view tex) : text_(tex) {}

  Node formula() {
    Node result = row(Stop::end);
    return result;
  }

 private:
  enum class Stop { end, brace, bracket, right };

  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  void skip_blanks() {
    while (!done() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
  }
  bool take(char c) {
    if (peek() != c || done()) return false;
    ++at_;
    return true;
  }
  char32_t take_character() {
    const char* here = text_.data() + at_;
    const char32_t code = g_utf8_get_char(here);
    at_ = std::min(text_.size(), at_ + static_cast<std::size_t>(g_utf8_next_char(here) - here));
    return code;
  }
  /// After the backslash: letters, or one other character.
  std::string_view take_command() {
    const std::size_t begin = at_;
    if (done()) return {};
    if (is_letter(peek())) {
      while (is_letter(peek())) ++at_;
    } else {
      take_character();
    }
    return text_.substr(begin, at_ - begin);
  }
  bool at_right() const {
    return text_.substr(at_).starts_with("\\right") &&
           (at_ + 6 >= text_.size() || !is_letter(text_[at_ + 6]));
  }

  Node row(Stop stop) {
    const Deeper deeper(*this);
    Node result;
    for (;;) {
      skip_blanks();
      if (done()) break;
      if (stop == Stop::brace && peek() == '}') break;
      if (stop == Stop::bracket && peek() == ']') break;
      if (stop == Stop::right && at_right()) break;
      result.parts.push_back(scripted());
    }
    return result;
  }

  /// An atom with the scripts and primes that follow it.
  Node scripted() {
    Node nucleus = peek() == '_' || peek() == '^' || peek() == '\'' ? Node{} : atom();
    std::optional<Node> sub;
    std::optional<Node> sup;
    for (;;) {
      skip_blanks();
      if (peek() == '\'') {
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

  static bool only_primes(const Node& row) {
    return std::ranges::all_of(row.parts, [](const Node& part) { return part.code == U'′'; });
  }
  static Node as_row(Node node) {
    if (node.kind == Node::Kind::row) return node;
    return with_parts(Node::Kind::row, {std::move(node)});
  }

  /// What a command takes: a group, or the next single atom. Missing: the command itself, shown as source.
  Node argument(std::string_view command) {
    const Deeper deeper(*this);
    skip_blanks();
    if (done() || peek() == '}' || peek() == '_' || peek() == '^' || at_right()) return unknown(command);
    return atom();
  }

  Node group() {
    Node inside = row(Stop::brace);
    take('}');
    return inside;
  }

  Node atom() {
    if (take('{')) return group();
    if (peek() == '}') {
      ++at_;
      return unknown("}");
    }
    if (peek() == '\\') {
      ++at_;
      return command();
    }
    if (take('~')) return space(6);
    if (peek() == '_' || peek() == '^') return unknown(std::string(1, text_[at_++]));
    return symbol(symbol_of(take_character()), alphabet_);
  }

  static Node space(double mu) {
    Node node;
    node.kind = Node::Kind::space;
    node.mu = mu;
    return node;
  }

  Node command() {
    const std::size_t begin = at_ - 1;
    const std::string_view name = take_command();
    const std::string_view source = text_.substr(begin, at_ - begin);
    if (const auto found = symbol_for(name)) return symbol(*found, alphabet_);
    if (const auto found = function_for(name)) {
      return words(found->text, name == "bmod" ? Atom::binary : Atom::op, found->limits);
    }
    if (const auto mu = space_for(name)) return space(*mu);
    if (const char32_t code = accent_for(name)) {
      Node node = with_parts(Node::Kind::accent, {argument(source)});
      node.code = code;
      return node;
    }
    if (name == "overline") return with_parts(Node::Kind::overline, {argument(source)});
    if (name == "frac" || name == "tfrac" || name == "dfrac") return fraction(source);
    if (name == "sqrt") return root(source);
    if (name == "left") return fenced();
    if (name == "text" || name == "textrm" || name == "mbox") return verbatim(source, Atom::ordinary, true);
    if (name == "operatorname") return verbatim(source, Atom::op, false);
    if (name == "mathrm") return in(Alphabet::upright, source);
    if (name == "mathbf") return in(Alphabet::bold, source);
    if (name == "boldsymbol" || name == "bm") return in(Alphabet::bold_italic, source);
    if (name == "mathbb") return in(Alphabet::blackboard, source);
    if (name == "mathcal") return in(Alphabet::calligraphic, source);
    if (name == "mathit") return in(Alphabet::italic, source);
    return unknown(source);
  }

  Node fraction(std::string_view source) {
    Node numerator = argument(source);
    Node denominator = argument(source);
    Node node = with_parts(Node::Kind::fraction, {std::move(numerator), std::move(denominator)});
    node.atom = Atom::inner;
    return node;
  }

  Node root(std::string_view source) {
    skip_blanks();
    Node degree;
    if (take('[')) {
      degree = row(Stop::bracket);
      take(']');
    }
    Node radicand = argument(source);
    return with_parts(Node::Kind::root, {std::move(radicand), std::move(degree)});
  }

  char32_t delimiter() {
    skip_blanks();
    if (done()) return 0;
    if (!take('\\')) {
      const char32_t code = take_character();
      if (code == U'<') return U'⟨';
      if (code == U'>') return U'⟩';
      return code == U'.' ? 0 : code;
    }
    const auto found = symbol_for(take_command());
    return found ? found->code : 0;
  }

  Node fenced() {
    Node node = with_parts(Node::Kind::fenced, {});
    node.atom = Atom::inner;
    node.code = delimiter();
    node.parts.push_back(row(Stop::right));
    if (at_right()) {
      at_ += 6;
      node.close = delimiter();
    }
    return node;
  }

  /// The characters of a group as they stand; braces must match.
  std::optional<std::string_view> raw_group() {
    skip_blanks();
    if (peek() != '{') return std::nullopt;
    int open = 0;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '{') ++open;
      if (text_[i] == '}' && --open == 0) {
        const std::string_view inside = text_.substr(at_ + 1, i - at_ - 1);
        at_ = i + 1;
        return inside;
      }
    }
    return std::nullopt;
  }

  Node verbatim(std::string_view source, Atom atom_class, bool keep_blanks) {
    const auto inside = raw_group();
    if (!inside) return unknown(source);
    std::string text(*inside);
    if (!keep_blanks) std::erase(text, ' ');
    return words(text, atom_class);
  }

  Node in(Alphabet alphabet, std::string_view source) {
    skip_blanks();
    const std::size_t begin = at_;
    if (alphabet == Alphabet::upright) {
      // A word in upright letters is set as a word, with its kerning.
      const auto inside = raw_group();
      if (inside && std::ranges::all_of(*inside, is_letter)) return words(*inside, Atom::ordinary);
      at_ = begin;
    }
    const Alphabet before = std::exchange(alphabet_, alphabet);
    Node inside = argument(source);
    alphabet_ = before;
    return inside;
  }

  struct Deeper {
    explicit Deeper(Parser& p) : parser(p) {
      if (++parser.depth_ > 2 * max_depth) throw TooDeep{};
    }
    ~Deeper() { --parser.depth_; }
    Deeper(const Deeper&) = delete;
    Parser& parser;
  };

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Alphabet alphabet_ = Alphabet::italic;
};

}  // namespace

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
