#include "app/export/math/alphabets.h"

#include <algorithm>
#include <array>
#include <utility>

namespace orrery::exporter::math {
namespace {

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
      return {0x1D468, 0x1D482, 0x1D7CE, 0x1D6A8, 0x1D736};
    case Alphabet::blackboard:
      return {0x1D538, 0x1D552, 0x1D7D8, 0, 0};
    case Alphabet::calligraphic:
      return {0x1D49C, 0, 0, 0, 0};
    case Alphabet::fraktur:
      return {0x1D504, 0x1D51E, 0, 0, 0};
    case Alphabet::sans_serif:
      return {0x1D5A0, 0x1D5BA, 0x1D7E2, 0, 0};
    case Alphabet::typewriter:
      return {0x1D670, 0x1D68A, 0x1D7F6, 0, 0};
    case Alphabet::upright:
      break;
  }
  return {};
}

/// Letters that Unicode had before it got the block: their places in the block are empty.
char32_t older(char32_t code) {
  constexpr auto moved = std::to_array<std::pair<char32_t, char32_t>>({
      {0x1D455, U'ℎ'}, {0x1D49D, U'ℬ'}, {0x1D4A0, U'ℰ'}, {0x1D4A1, U'ℱ'}, {0x1D4A3, U'ℋ'}, {0x1D4A4, U'ℐ'},
      {0x1D4A7, U'ℒ'}, {0x1D4A8, U'ℳ'}, {0x1D4AD, U'ℛ'}, {0x1D506, U'ℭ'}, {0x1D50B, U'ℌ'}, {0x1D50C, U'ℑ'},
      {0x1D515, U'ℜ'}, {0x1D51D, U'ℨ'}, {0x1D53A, U'ℂ'}, {0x1D53F, U'ℍ'}, {0x1D545, U'ℕ'}, {0x1D547, U'ℙ'},
      {0x1D548, U'ℚ'}, {0x1D549, U'ℝ'}, {0x1D551, U'ℤ'},
  });
  const auto found = std::ranges::find(moved, code, &std::pair<char32_t, char32_t>::first);
  return found == moved.end() ? code : found->second;
}

/// ∂ϵϑϰϕϱϖ follow ω in each Greek alphabet of the block.
constexpr std::u32string_view greek_variants = U"∂ϵϑϰϕϱϖ";

}  // namespace

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
  // The dotless letters that go under accents.
  if (alphabet == Alphabet::italic && code == U'ı') return 0x1D6A4;
  if (alphabet == Alphabet::italic && code == U'ȷ') return 0x1D6A5;
  const std::size_t variant = greek_variants.find(code);
  if (variant != std::u32string_view::npos && to.greek_lower) {
    return to.greek_lower + 25 + static_cast<char32_t>(variant);
  }
  return code;
}

char32_t plain_letter(char32_t code) {
  using enum Alphabet;
  constexpr std::u32string_view others = U"ıȷ∂ϵϑϰϕϱϖ";
  const auto is = [&](char32_t letter) {
    constexpr std::array all{italic,       bold,    bold_italic, blackboard,
                             calligraphic, fraktur, sans_serif,  typewriter};
    return std::ranges::any_of(all, [&](Alphabet each) { return in_alphabet(letter, each) == code; });
  };
  if (code < 0x80) return code;
  for (const auto& [first, last] :
       {std::pair(U'A', U'Z'), std::pair(U'a', U'z'), std::pair(U'0', U'9'), std::pair(U'Α', U'ω')})
    for (char32_t letter = first; letter <= last; ++letter)
      if (is(letter)) return letter;
  for (const char32_t letter : others)
    if (is(letter)) return letter;
  return code;
}

std::optional<Alphabet> alphabet_for(std::string_view command) {
  using enum Alphabet;
  constexpr auto names = std::to_array<std::pair<std::string_view, Alphabet>>({
      {"mathrm", upright},       {"mathbf", bold},       {"boldsymbol", bold_italic},
      {"bm", bold_italic},       {"mathbb", blackboard}, {"mathcal", calligraphic},
      {"mathscr", calligraphic}, {"mathfrak", fraktur},  {"mathit", italic},
      {"mathnormal", italic},    {"mathsf", sans_serif}, {"mathtt", typewriter},
      {"mathup", upright},       {"text", upright},      {"textrm", upright},
      {"textnormal", upright},   {"textup", upright},    {"mbox", upright},
      {"textbf", bold},          {"textit", italic},     {"emph", italic},
      {"textsf", sans_serif},    {"texttt", typewriter},
  });
  const auto found = std::ranges::find(names, command, &std::pair<std::string_view, Alphabet>::first);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace orrery::exporter::math
