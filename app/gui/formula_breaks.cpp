#include "app/gui/formula_breaks.h"

#include <cctype>
#include <cstdint>

namespace orrery::gui {
namespace {

enum class Break : std::uint8_t { none, relation, sum, product };
struct Place {
  std::size_t at;
  Break kind;
};

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// A command's name with its backslash, a sign with its own ("\\{"), or one character.
std::string_view token_at(std::string_view tex, std::size_t at) {
  if (tex[at] != '\\' || at + 1 == tex.size()) return tex.substr(at, 1);
  std::size_t end = at + 1;
  while (end < tex.size() && is_letter(tex[end])) ++end;
  return tex.substr(at, end == at + 1 ? 2 : end - at);
}

bool opens(std::string_view token) {
  return token == "{" || token == "(" || token == "[" || token == "\\{" || token == "\\langle" ||
         token == "\\lfloor" || token == "\\lceil" || token == "\\left" || token == "\\begin";
}

bool closes(std::string_view token) {
  return token == "}" || token == ")" || token == "]" || token == "\\}" || token == "\\rangle" ||
         token == "\\rfloor" || token == "\\rceil" || token == "\\right" || token == "\\end";
}

Break kind_of(std::string_view token) {
  if (token == "=" || token == "\\approx" || token == "\\le" || token == "\\ge") return Break::relation;
  if (token == "+" || token == "-") return Break::sum;
  return token == "\\cdot" || token == "\\times" ? Break::product : Break::none;
}

/// A number and its power of ten are one.
bool before_a_power(std::string_view rest) {
  const std::size_t next = rest.find_first_not_of(' ');
  return next != rest.npos && rest.substr(next).starts_with("10^");
}

std::vector<Place> places_in(std::string_view tex) {
  std::vector<Place> places;
  int depth = 0;
  bool after_term = false;  // else the sign is of the number behind it
  for (std::size_t at = 0; at < tex.size();) {
    const std::string_view token = token_at(tex, at);
    const std::size_t end = at + token.size();
    if (opens(token)) ++depth;
    const Break kind = depth == 0 && after_term ? kind_of(token) : Break::none;
    const bool power = kind == Break::product && before_a_power(tex.substr(end));
    if (kind != Break::none && !power) places.push_back({at, kind});
    if (closes(token)) --depth;
    if (token != " ") after_term = kind_of(token) == Break::none && token != "_" && token != "^";
    at = end;
  }
  return places;
}

}  // namespace

std::vector<std::string_view> formula_pieces(std::string_view tex,
                                             const std::function<bool(std::string_view, bool)>& fits) {
  const std::vector<Place> places = places_in(tex);
  std::vector<std::string_view> pieces;
  std::size_t from = 0;
  const auto line_to = [&](std::size_t end) { return tex.substr(from, end - from); };
  while (!fits(tex.substr(from), pieces.empty())) {
    // As far as it goes; a line of one term that is too long ends with it all the same.
    std::size_t best = 0, least = 0;
    for (const bool products : {false, true}) {
      if (best > 0) break;
      for (const Place& place : places) {
        if (place.at <= from || (place.kind == Break::product && !products)) continue;
        if (least == 0 || place.at < least) least = place.at;
        if (fits(line_to(place.at), pieces.empty())) best = place.at;
      }
    }
    const std::size_t end = best > 0 ? best : least;
    if (end == 0) break;
    pieces.push_back(line_to(end));
    from = end;
  }
  pieces.push_back(tex.substr(from));
  return pieces;
}

}  // namespace orrery::gui
