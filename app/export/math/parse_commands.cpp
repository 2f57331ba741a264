// The commands that take arguments.
#include <unordered_map>
#include <utility>

#include "app/export/math/dimension.h"
#include "app/export/math/parser.h"

namespace orrery::exporter::math {

Parser::Handler Parser::handler_for(std::string_view name) {
  static const std::unordered_map<std::string_view, Handler> handlers = [] {
    std::unordered_map<std::string_view, Handler> map;
    const auto add = [&map](Handler handler, std::initializer_list<std::string_view> names) {
      for (const std::string_view each : names) map.emplace(each, handler);
    };
    add(&Parser::fraction, {"frac", "tfrac", "dfrac", "cfrac", "binom", "tbinom", "dbinom"});
    add(&Parser::root, {"sqrt"});
    add(&Parser::fenced, {"left"});
    add(&Parser::big_delimiter, {"big", "bigl", "bigr", "bigm", "Big", "Bigl", "Bigr", "Bigm", "bigg",
                                 "biggl", "biggr", "biggm", "Bigg", "Biggl", "Biggr", "Biggm"});
    add(&Parser::line, {"overline", "underline"});
    add(&Parser::stacked, {"stackrel", "overset", "underset"});
    add(&Parser::arrow, {"xrightarrow", "xleftarrow"});
    add(&Parser::negated, {"not"});
    add(&Parser::phantom, {"phantom", "hphantom", "vphantom", "smash", "mathstrut"});
    add(&Parser::framed, {"boxed"});
    add(&Parser::style, {"displaystyle", "textstyle", "scriptstyle", "scriptscriptstyle"});
    add(&Parser::of_class,
        {"mathord", "mathop", "mathbin", "mathrel", "mathopen", "mathclose", "mathpunct", "mathinner"});
    add(&Parser::operator_name, {"operatorname", "operatorname*"});
    add(&Parser::in_alphabet_of, {"mathrm", "mathbf", "boldsymbol", "bm", "mathbb", "mathcal", "mathscr",
                                  "mathfrak", "mathit", "mathnormal", "mathsf", "mathtt"});
    add(&Parser::text,
        {"text", "textrm", "textnormal", "textup", "mbox", "textbf", "textit", "emph", "textsf", "texttt"});
    add(&Parser::modulo, {"bmod", "pmod", "mod", "pod"});
    add(&Parser::dots, {"dots", "ldots", "cdots", "dotsc", "dotsb", "dotsm", "dotsi", "dotso", "ddots"});
    add(&Parser::skip, {"hspace", "mspace"});
    add(&Parser::environment, {"begin"});
    add(&Parser::substack, {"substack"});
    return map;
  }();
  const auto found = handlers.find(name);
  return found == handlers.end() ? nullptr : found->second;
}

Node Parser::fraction(Call call) {
  Node node = with_parts(Node::Kind::fraction, arguments(2, call.source));
  if (call.name.starts_with('d') || call.name.starts_with('c')) node.level = Level::display;
  if (call.name.starts_with('t')) node.level = Level::text;
  if (call.name.ends_with("binom")) {
    node.bar = false;
    node.fence = {U'(', U')'};
  }
  return node;
}

Node Parser::root(Call call) {
  skip_blanks();
  Node degree;
  if (take('[')) {
    degree = row(Stop::bracket);
    take(']');
  }
  Node radicand = argument(call.source);
  return with_parts(Node::Kind::root, {std::move(radicand), std::move(degree)});
}

char32_t Parser::delimiter() {
  skip_blanks();
  if (done() || peek() == '}' || peek() == '&') return 0;
  if (!take('\\')) {
    const char32_t code = take_character();
    if (code == U'<') return U'⟨';
    if (code == U'>') return U'⟩';
    return code == U'.' ? 0 : code;
  }
  const auto found = symbol_for(take_command());
  return found ? found->code : 0;
}

Node Parser::fenced(Call) {
  Node node = with_parts(Node::Kind::fenced, {});
  node.atom = Atom::inner;
  node.fence.push_back(delimiter());
  node.parts.push_back(row(Stop::right));
  while (take_command_if("middle")) {
    node.fence.push_back(delimiter());
    node.parts.push_back(row(Stop::right));
  }
  node.fence.push_back(take_command_if("right") ? delimiter() : 0);
  return node;
}

Node Parser::big_delimiter(Call call) {
  Node node = with_parts(Node::Kind::delimiter, {});
  const bool wide = call.name.substr(0, 4) == "bigg" || call.name.substr(0, 4) == "Bigg";
  const std::string_view side = call.name.substr(wide ? 4 : 3);
  node.atom = side == "l"   ? Atom::open
              : side == "r" ? Atom::close
              : side == "m" ? Atom::relation
                            : Atom::ordinary;
  // amsmath: 1, 1.5, 2 and 2.5 times 1.2 times the height of a parenthesis, which is 1 em. Fonts may be a
  // trifle short of that.
  node.length = 0.99 * 1.2 * ((wide ? 2.0 : 1.0) + (call.name[0] == 'B' ? 0.5 : 0.0));
  node.code = delimiter();
  return node;
}

Node Parser::line(Call call) {
  Node node = with_parts(Node::Kind::line, {argument(call.source)});
  node.below = call.name == "underline";
  return node;
}

/// Something above or below a sign that keeps its class.
Node Parser::stacked(Call call) {
  Node script = as_row(argument(call.source));
  Node base = as_row(argument(call.source));
  base.atom = call.name == "stackrel"  ? Atom::relation
              : base.parts.size() == 1 ? base.parts.front().atom
                                       : Atom::ordinary;
  base.limits = Limits::always;
  const bool below = call.name == "underset";
  const Atom atom = base.atom;
  Node node = with_parts(Node::Kind::scripts, {});
  node.parts.push_back(std::move(base));
  node.parts.push_back(below ? std::move(script) : Node{});
  node.parts.push_back(below ? Node{} : std::move(script));
  node.atom = atom;
  return node;
}

Node Parser::arrow(Call call) {
  skip_blanks();
  Node below;
  if (take('[')) {
    below = row(Stop::bracket);
    take(']');
  }
  Node above = argument(call.source);
  Node node = with_parts(Node::Kind::arrow, {std::move(below), as_row(std::move(above))});
  node.code = call.name == "xrightarrow" ? U'→' : U'←';
  node.atom = Atom::relation;
  return node;
}

Node Parser::negated(Call call) {
  Node base = argument(call.source);
  if (base.kind == Node::Kind::unknown) return base;
  if (const char32_t struck = negation_of(base.code); base.kind == Node::Kind::symbol && struck) {
    base.code = struck;
    return base;
  }
  Node node = with_parts(Node::Kind::negated, {});
  node.atom = base.atom;
  node.parts.push_back(std::move(base));
  return node;
}

Node Parser::phantom(Call call) {
  Node node = with_parts(Node::Kind::phantom, {});
  if (call.name == "mathstrut") {
    node.keep = Keep::height;
    node.parts.push_back(symbol(symbol_of(U'('), alphabet_));
    return node;
  }
  node.keep = call.name == "hphantom"   ? Keep::width
              : call.name == "vphantom" ? Keep::height
              : call.name == "smash"    ? Keep::ink
                                        : Keep::extent;
  node.parts.push_back(argument(call.source));
  return node;
}

Node Parser::framed(Call call) {
  return with_parts(Node::Kind::framed, {argument(call.source)});
}

Node Parser::style(Call call) {
  Node node = with_parts(Node::Kind::style, {});
  node.level = call.name == "displaystyle"  ? Level::display
               : call.name == "textstyle"   ? Level::text
               : call.name == "scriptstyle" ? Level::script
                                            : Level::script_script;
  return node;
}

Node Parser::of_class(Call call) {
  static const std::unordered_map<std::string_view, Atom> classes = {
      {"mathord", Atom::ordinary},      {"mathop", Atom::op},       {"mathbin", Atom::binary},
      {"mathrel", Atom::relation},      {"mathopen", Atom::open},   {"mathclose", Atom::close},
      {"mathpunct", Atom::punctuation}, {"mathinner", Atom::inner},
  };
  Node node = as_row(argument(call.source));
  node.atom = classes.at(call.name);
  if (node.atom == Atom::op) node.limits = Limits::in_display;
  return node;
}

/// a \bmod n, a \pmod{n}, a \mod{n}, a \pod{n}.
Node Parser::modulo(Call call) {
  if (call.name == "bmod") {  // amsmath: 5 mu at either side, one more than other signs
    Node node = with_parts(Node::Kind::row, {space(1), words("mod"), space(1)});
    node.atom = Atom::binary;
    return node;
  }
  Node argument_row = as_row(argument(call.source));
  Node node;
  // amsmath: 18 mu in displays, 8 (pmod) and 12 (mod) in text, which is what labels are.
  node.parts.push_back(space(call.name == "mod" ? 12 : 8));
  const auto mark = [&](char32_t code) { node.parts.push_back(symbol(symbol_of(code), Alphabet::upright)); };
  if (call.name != "mod") mark(U'(');
  if (call.name != "pod") {
    node.parts.push_back(words("mod"));
    node.parts.push_back(space(6));
  }
  for (Node& part : argument_row.parts) node.parts.push_back(std::move(part));
  if (call.name != "mod") mark(U')');
  return node;
}

/// Three dots as TeX sets them, wider than the typeface's one character. \dots becomes the one or the other
/// when its neighbour is known.
Node Parser::dots(Call call) {
  if (call.name == "ddots") {
    Node node = symbol({"", U'⋱', Atom::inner}, Alphabet::upright);
    return node;
  }
  const bool raised =
      call.name == "cdots" || call.name == "dotsb" || call.name == "dotsm" || call.name == "dotsi";
  const Node dot = symbol({"", raised ? U'⋅' : U'.', Atom::punctuation}, Alphabet::upright);
  Node node = with_parts(Node::Kind::row, {dot, dot, dot});
  node.atom = Atom::inner;
  if (call.name == "dots") node.text = "dots";
  return node;
}

/// amsmath: \dots before a binary sign, a relation or an integral is raised to their height.
void Parser::choose_dots(std::vector<Node>& parts) const {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    Node& dots = parts[i];
    if (dots.kind != Node::Kind::row || dots.text != "dots") continue;
    const Atom next = parts[i + 1].atom;
    const bool raised = next == Atom::binary || next == Atom::relation || next == Atom::op;
    for (Node& dot : dots.parts) dot.code = raised ? U'⋅' : U'.';
  }
}

Node Parser::skip(Call call) {
  const auto inside = raw_group();
  const auto length = inside ? dimension(*inside) : std::nullopt;
  return length ? space(*length * 18) : unknown(call.source);
}

}  // namespace orrery::exporter::math
