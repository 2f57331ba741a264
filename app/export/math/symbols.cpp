#include "app/export/math/symbols.h"

#include <algorithm>
#include <array>

namespace orrery::exporter::math {
namespace {

using enum Atom;

// clang-format off
constexpr auto symbols = std::to_array<Symbol>({
    {"alpha", U'α'}, {"beta", U'β'}, {"gamma", U'γ'}, {"delta", U'δ'}, {"epsilon", U'ϵ'},
    {"varepsilon", U'ε'}, {"zeta", U'ζ'}, {"eta", U'η'}, {"theta", U'θ'}, {"vartheta", U'ϑ'},
    {"iota", U'ι'}, {"kappa", U'κ'}, {"lambda", U'λ'}, {"mu", U'μ'}, {"nu", U'ν'}, {"xi", U'ξ'},
    {"pi", U'π'}, {"varpi", U'ϖ'}, {"rho", U'ρ'}, {"varrho", U'ϱ'}, {"sigma", U'σ'}, {"varsigma", U'ς'},
    {"tau", U'τ'}, {"upsilon", U'υ'}, {"phi", U'ϕ'}, {"varphi", U'φ'}, {"chi", U'χ'}, {"psi", U'ψ'},
    {"omega", U'ω'}, {"Gamma", U'Γ'}, {"Delta", U'Δ'}, {"Theta", U'Θ'}, {"Lambda", U'Λ'}, {"Xi", U'Ξ'},
    {"Pi", U'Π'}, {"Sigma", U'Σ'}, {"Upsilon", U'Υ'}, {"Phi", U'Φ'}, {"Psi", U'Ψ'}, {"Omega", U'Ω'},
    {"infty", U'∞'}, {"partial", U'∂'}, {"nabla", U'∇'}, {"top", U'⊤'}, {"bot", U'⊥'}, {"ell", U'ℓ'},
    {"hbar", U'ℏ'}, {"Re", U'ℜ'}, {"Im", U'ℑ'}, {"forall", U'∀'}, {"exists", U'∃'}, {"emptyset", U'∅'},
    {"angle", U'∠'}, {"prime", U'′'}, {"dagger", U'†', binary}, {"degree", U'°'}, {"ldots", U'…', inner},
    {"dots", U'…', inner}, {"cdots", U'⋯', inner}, {"vdots", U'⋮'}, {"|", U'‖'}, {"Vert", U'‖'},
    {"vert", U'|'}, {"%", U'%'}, {"#", U'#'}, {"&", U'&'}, {"_", U'_'}, {"$", U'$'}, {"{", U'{', open},
    {"}", U'}', close}, {"sum", U'∑', op, true, true}, {"prod", U'∏', op, true, true},
    {"int", U'∫', op, true, false}, {"bigcup", U'⋃', op, true, true}, {"bigcap", U'⋂', op, true, true},
    {"bigoplus", U'⨁', op, true, true}, {"cdot", U'⋅', binary}, {"times", U'×', binary},
    {"pm", U'±', binary}, {"mp", U'∓', binary}, {"div", U'÷', binary}, {"ast", U'∗', binary},
    {"star", U'⋆', binary}, {"circ", U'∘', binary}, {"bullet", U'∙', binary}, {"oplus", U'⊕', binary},
    {"otimes", U'⊗', binary}, {"odot", U'⊙', binary}, {"cup", U'∪', binary}, {"cap", U'∩', binary},
    {"setminus", U'∖', binary}, {"wedge", U'∧', binary}, {"vee", U'∨', binary}, {"le", U'≤', relation},
    {"leq", U'≤', relation}, {"ge", U'≥', relation}, {"geq", U'≥', relation}, {"ne", U'≠', relation},
    {"neq", U'≠', relation}, {"approx", U'≈', relation}, {"equiv", U'≡', relation}, {"sim", U'∼', relation},
    {"simeq", U'≃', relation}, {"propto", U'∝', relation}, {"ll", U'≪', relation}, {"gg", U'≫', relation},
    {"in", U'∈', relation}, {"notin", U'∉', relation}, {"ni", U'∋', relation}, {"subset", U'⊂', relation},
    {"subseteq", U'⊆', relation}, {"perp", U'⟂', relation}, {"parallel", U'∥', relation},
    {"mid", U'∣', relation}, {"to", U'→', relation}, {"rightarrow", U'→', relation},
    {"leftarrow", U'←', relation}, {"leftrightarrow", U'↔', relation}, {"mapsto", U'↦', relation},
    {"Rightarrow", U'⇒', relation}, {"Leftarrow", U'⇐', relation}, {"Leftrightarrow", U'⇔', relation},
    {"lfloor", U'⌊', open}, {"rfloor", U'⌋', close}, {"lceil", U'⌈', open}, {"rceil", U'⌉', close},
    {"langle", U'⟨', open}, {"rangle", U'⟩', close}, {"lVert", U'‖', open}, {"rVert", U'‖', close},
    {"lvert", U'|', open}, {"rvert", U'|', close}, {"lbrace", U'{', open}, {"rbrace", U'}', close},
    {"colon", U':', punctuation},
});
// clang-format on

// clang-format off
constexpr auto functions = std::to_array<Function>({
    {"log", "log"},       {"ln", "ln"},         {"exp", "exp"},       {"sin", "sin"},
    {"cos", "cos"},       {"tan", "tan"},       {"sinh", "sinh"},     {"cosh", "cosh"},
    {"tanh", "tanh"},     {"arcsin", "arcsin"}, {"arccos", "arccos"}, {"arctan", "arctan"},
    {"deg", "deg"},       {"dim", "dim"},       {"ker", "ker"},       {"arg", "arg"},
    {"bmod", "mod"},      {"max", "max", true}, {"min", "min", true}, {"sup", "sup", true},
    {"inf", "inf", true}, {"lim", "lim", true}, {"det", "det", true}, {"gcd", "gcd", true},
    {"Pr", "Pr", true},
});
// clang-format on

struct Accent {
  std::string_view name;
  char32_t code;
};
// clang-format off
constexpr auto accents = std::to_array<Accent>({
    {"hat", U'\u0302'}, {"widehat", U'\u0302'}, {"bar", U'\u0304'}, {"tilde", U'\u0303'},
    {"widetilde", U'\u0303'}, {"dot", U'\u0307'}, {"ddot", U'\u0308'}, {"vec", U'\u20D7'},
    {"check", U'\u030C'}, {"breve", U'\u0306'},
});
// clang-format on

struct Space {
  std::string_view name;
  double mu;
};
// clang-format off
constexpr auto spaces = std::to_array<Space>({
    {",", 3}, {":", 4}, {">", 4}, {";", 5}, {"!", -3}, {" ", 6}, {"quad", 18}, {"qquad", 36},
});
// clang-format on

template <class Table>
auto find(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, [](const auto& row) { return row.name; });
  return found == table.end() ? nullptr : &*found;
}

/// Where the alphabet's A, a and 0 begin in Unicode; 0 for none.
struct Ranges {
  char32_t upper, lower, digit, greek_upper, greek_lower;
};
constexpr Ranges ranges(Alphabet alphabet) {
  switch (alphabet) {
    case Alphabet::italic:
      return {0x1D434, 0x1D44E, 0, 0, 0x1D6FC};
    case Alphabet::bold:
      return {0x1D400, 0x1D41A, 0x1D7CE, 0x1D6A8, 0x1D6C2};
    case Alphabet::bold_italic:
      return {0x1D468, 0x1D482, 0x1D7CE, 0x1D71C, 0x1D736};
    case Alphabet::blackboard:
      return {0x1D538, 0x1D552, 0x1D7D8, 0, 0};
    case Alphabet::calligraphic:
      return {0x1D49C, 0x1D4B6, 0, 0, 0};
    case Alphabet::upright:
      break;
  }
  return {};
}

/// Letters that Unicode had before it got the block: their places in the block are empty.
char32_t older(char32_t code) {
  constexpr auto moved = std::to_array<std::pair<char32_t, char32_t>>({
      {0x1D455, U'ℎ'},
      {0x1D49D, U'ℬ'},
      {0x1D4A0, U'ℰ'},
      {0x1D4A1, U'ℱ'},
      {0x1D4A3, U'ℋ'},
      {0x1D4A4, U'ℐ'},
      {0x1D4A7, U'ℒ'},
      {0x1D4A8, U'ℳ'},
      {0x1D4AD, U'ℛ'},
      {0x1D53A, U'ℂ'},
      {0x1D53F, U'ℍ'},
      {0x1D545, U'ℕ'},
      {0x1D547, U'ℙ'},
      {0x1D548, U'ℚ'},
      {0x1D549, U'ℝ'},
      {0x1D551, U'ℤ'},
  });
  const auto found = std::ranges::find(moved, code, &std::pair<char32_t, char32_t>::first);
  return found == moved.end() ? code : found->second;
}

/// ∂ϵϑϰϕϱϖ follow ω in each Greek alphabet of the block.
constexpr std::u32string_view greek_variants = U"∂ϵϑϰϕϱϖ";

}  // namespace

std::optional<Symbol> symbol_for(std::string_view command) {
  const Symbol* found = find(symbols, command);
  return found ? std::optional(*found) : std::nullopt;
}

std::optional<Function> function_for(std::string_view command) {
  const Function* found = find(functions, command);
  return found ? std::optional(*found) : std::nullopt;
}

char32_t accent_for(std::string_view command) {
  const Accent* found = find(accents, command);
  return found ? found->code : 0;
}

std::optional<double> space_for(std::string_view command) {
  const Space* found = find(spaces, command);
  return found ? std::optional(found->mu) : std::nullopt;
}

Symbol symbol_of(char32_t typed) {
  switch (typed) {
    case U'-':
      return {"", U'−', binary};
    case U'*':
      return {"", U'∗', binary};
    case U'+':
      return {"", typed, binary};
    case U'=':
    case U'<':
    case U'>':
    case U':':
      return {"", typed, relation};
    case U'(':
    case U'[':
      return {"", typed, open};
    case U')':
    case U']':
    case U'!':
    case U'?':
      return {"", typed, close};
    case U',':
    case U';':
      return {"", typed, punctuation};
    default:
      break;
  }
  // A symbol typed as itself behaves as its command does.
  const auto found = std::ranges::find(symbols, typed, &Symbol::code);
  return found != symbols.end() ? Symbol{"", typed, found->atom, found->big, found->limits}
                                : Symbol{"", typed};
}

char32_t in_alphabet(char32_t code, Alphabet alphabet) {
  const Ranges to = ranges(alphabet);
  const auto shift = [&](char32_t first, char32_t base) {
    return base ? older(base + (code - first)) : code;
  };
  if (code >= U'A' && code <= U'Z') return shift(U'A', to.upper);
  if (code >= U'a' && code <= U'z') return shift(U'a', to.lower);
  if (code >= U'0' && code <= U'9') return shift(U'0', to.digit);
  if (code >= U'Α' && code <= U'Ω') return shift(U'Α', to.greek_upper);
  if (code >= U'α' && code <= U'ω') return shift(U'α', to.greek_lower);
  const std::size_t variant = greek_variants.find(code);
  if (variant != std::u32string_view::npos && to.greek_lower) {
    return to.greek_lower + 25 + static_cast<char32_t>(variant);
  }
  return code;
}

}  // namespace orrery::exporter::math
