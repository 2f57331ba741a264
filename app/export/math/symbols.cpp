#include "app/export/math/symbols.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "app/export/math/symbol_table.h"

namespace orrery::exporter::math {
namespace {

using enum Atom;

// clang-format off
constexpr auto functions = std::to_array<Function>({
    {"log", "log"},       {"ln", "ln"},         {"lg", "lg"},         {"exp", "exp"},       {"sin", "sin"},
    {"cos", "cos"},       {"tan", "tan"},       {"cot", "cot"},       {"sec", "sec"},       {"csc", "csc"},
    {"sinh", "sinh"},     {"cosh", "cosh"},     {"tanh", "tanh"},     {"coth", "coth"},     {"arcsin", "arcsin"},
    {"arccos", "arccos"}, {"arctan", "arctan"}, {"deg", "deg"},       {"dim", "dim"},       {"ker", "ker"},
    {"hom", "hom"},       {"arg", "arg"},
    {"max", "max", Limits::in_display},         {"min", "min", Limits::in_display},
    {"sup", "sup", Limits::in_display},         {"inf", "inf", Limits::in_display},
    {"lim", "lim", Limits::in_display},         {"limsup", "lim\u2009sup", Limits::in_display},
    {"liminf", "lim\u2009inf", Limits::in_display}, {"det", "det", Limits::in_display},
    {"gcd", "gcd", Limits::in_display},         {"Pr", "Pr", Limits::in_display},
});

constexpr auto accents = std::to_array<Accent>({
    {"hat", U'\u0302'}, {"bar", U'\u0304'}, {"tilde", U'\u0303'}, {"dot", U'\u0307'}, {"ddot", U'\u0308'},
    {"dddot", U'\u20DB'}, {"vec", U'\u20D7'}, {"check", U'\u030C'}, {"breve", U'\u0306'}, {"acute", U'\u0301'},
    {"grave", U'\u0300'}, {"mathring", U'\u030A'},
    {"widehat", U'\u0302', Reach::within}, {"widetilde", U'\u0303', Reach::within},
    {"widecheck", U'\u030C', Reach::within},
    {"overrightarrow", U'→', Reach::cover}, {"overleftarrow", U'←', Reach::cover},
    {"overleftrightarrow", U'↔', Reach::cover},
    {"underrightarrow", U'→', Reach::cover, true}, {"underleftarrow", U'←', Reach::cover, true},
    {"overbrace", U'⏞', Reach::cover}, {"underbrace", U'⏟', Reach::cover, true},
    {"overbracket", U'⎴', Reach::cover}, {"underbracket", U'⎵', Reach::cover, true},
});

struct Space {
  std::string_view name;
  double mu;
};
constexpr auto spaces = std::to_array<Space>({
    {",", 3}, {":", 4}, {">", 4}, {";", 5}, {"!", -3}, {" ", 6}, {"quad", 18}, {"qquad", 36}, {"enspace", 9},
    {"enskip", 9}, {"thinspace", 3}, {"medspace", 4}, {"thickspace", 5}, {"negthinspace", -3},
    {"negmedspace", -4}, {"negthickspace", -5}, {"space", 6}, {"nobreakspace", 6},
});

constexpr auto negations = std::to_array<std::pair<char32_t, char32_t>>({
    {U'=', U'≠'}, {U'∈', U'∉'}, {U'∋', U'∌'}, {U'<', U'≮'}, {U'>', U'≯'}, {U'≤', U'≰'}, {U'≥', U'≱'},
    {U'≡', U'≢'}, {U'∼', U'≁'}, {U'≃', U'≄'}, {U'≈', U'≉'}, {U'≅', U'≇'}, {U'⊂', U'⊄'}, {U'⊃', U'⊅'},
    {U'⊆', U'⊈'}, {U'⊇', U'⊉'}, {U'∃', U'∄'}, {U'∣', U'∤'}, {U'∥', U'∦'}, {U'→', U'↛'}, {U'←', U'↚'},
    {U'⇒', U'⇏'}, {U'⇐', U'⇍'}, {U'⇔', U'⇎'}, {U'≺', U'⊀'}, {U'≻', U'⊁'}, {U'⊢', U'⊬'},
});
// clang-format on

template <class Row>
std::optional<Row> named(std::span<const Row> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Row::name);
  return found == table.end() ? std::nullopt : std::optional<Row>(*found);
}

/// The same table by name and by character.
struct Symbols {
  std::vector<Symbol> all = symbol_table();
  std::unordered_map<std::string_view, Symbol> by_name;
  std::unordered_map<char32_t, Symbol> by_code;

  Symbols() {
    for (const Symbol& symbol : all) {
      by_name.emplace(symbol.name, symbol);
      by_code.emplace(symbol.code, symbol);
    }
  }
};

const Symbols& symbols() {
  static const Symbols table;
  return table;
}

}  // namespace

std::optional<Symbol> symbol_for(std::string_view command) {
  const auto found = symbols().by_name.find(command);
  return found == symbols().by_name.end() ? std::nullopt : std::optional(found->second);
}

std::span<const Symbol> all_symbols() {
  return symbols().all;
}

std::optional<Function> function_for(std::string_view command) {
  return named<Function>(functions, command);
}

std::optional<Accent> accent_for(std::string_view command) {
  return named<Accent>(accents, command);
}

std::optional<double> space_for(std::string_view command) {
  const auto found = named<Space>(spaces, command);
  return found ? std::optional(found->mu) : std::nullopt;
}

char32_t negation_of(char32_t code) {
  const auto found = std::ranges::find(negations, code, &std::pair<char32_t, char32_t>::first);
  return found == negations.end() ? 0 : found->second;
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
    case U'.':
      return {"", typed};
    default:
      break;
  }
  // A symbol typed as itself behaves as its command does.
  const auto found = symbols().by_code.find(typed);
  if (found == symbols().by_code.end()) return {"", typed};
  Symbol symbol = found->second;
  symbol.name = {};
  return symbol;
}

}  // namespace orrery::exporter::math
