#include "app/export/math/kerning.h"

#include <span>
#include <string_view>

#include "app/export/math/alphabets.h"

namespace orrery::exporter::math {
namespace {

/// Any letter of the one before any letter of the other.
struct Kern {
  std::string_view left, right;
  double em;
};

// Four amounts, which the metric files call k, kk, kkk and so on.
constexpr double step = 0.0278, two = 0.0556, three = 0.0833, four = 0.1111, six = 0.1667;

constexpr Kern kerns_of_words[] = {
    // lmr10.tfm
    {"a", "vwy", -step},
    {"a", "j", step},
    {"bop", "vwxy", -step},
    {"bop", "cdejoq", step},
    {"c", "hk", -step},
    {"g", "j", step},
    {"hmn", "btuvwy", -step},
    {"k", "ceo", -step},
    {"t", "wy", -step},
    {"u", "w", -step},
    {"v", "ceo", -step},
    {"v", "a", -two},
    {"w", "aceo", -step},
    {"y", "aeo", -step},
    {"ehkmn", "V", -three},
    {"hkmn", "W", -three},
    {"A", "cdeoqtuCGOQU", -step},
    {"A", "wyTY", -three},
    {"A", "vVW", -four},
    {"DO", "AVWXY", -step},
    {"FVW", "CGOQ", -step},
    {"FVW", "acdegmnoprsuvwyz", -three},
    {"FVW", "A", -four},
    {"I", "I", step},
    {"K", "owCGQ", -step},
    {"K", "v", -three},
    {"L", "TY", -three},
    {"L", "VW", -four},
    {"P", "aeo", -step},
    {"P", "A", -three},
    {"R", "tuvwyCGOQU", -step},
    {"R", "TY", -three},
    {"R", "VW", -four},
    {"T", "y", -step},
    {"TY", "acdegnoprsuvwxzA", -three},
    {"X", "CGOQ", -step},
};

constexpr Kern italics[] = {
    // lmmi10.tfm
    {"d", "Y", two},       {"d", "Z", -two},       {"d", "j", -four},   {"d", "f", -six},
    {"fjr", ".,", -two},   {"CT", "/", -step},     {"CT", ".,", -two},  {"FJPU", "/", -two},
    {"FJPU", ".,", -four}, {"HKMSZ", "/.,", -two}, {"NX", ".,", -two},  {"NX", "/", -three},
    {"VWY", "/", -four},   {"VWY", ".,", -six},    {"/", "AMNZ", -two}, {"/", "Y", two},
};

bool holds(std::string_view letters, char32_t code) {
  return letters.find(static_cast<char>(code)) != letters.npos;
}

double find(std::span<const Kern> table, char32_t left, char32_t right) {
  if (left == 0 || right == 0 || left > 0x7F || right > 0x7F) return 0;
  for (const Kern& kern : table) {
    if (holds(kern.left, left) && holds(kern.right, right)) return kern.em;
  }
  return 0;
}

/// The letter on the keyboard; the signs that kern with letters; 0 for all else.
char32_t typed(char32_t code) {
  if (code == U'/' || code == U'.' || code == U',') return code;
  if (code == in_alphabet(U'h', Alphabet::italic)) return U'h';
  if (code < 0x1D434 || code > 0x1D467) return 0;
  const char32_t place = code - 0x1D434;
  return place < 26 ? U'A' + place : U'a' + (place - 26);
}

}  // namespace

double word_kern(char32_t left, char32_t right) {
  return find(kerns_of_words, left, right);
}

double italic_kern(char32_t left, char32_t right) {
  return find(italics, typed(left), typed(right));
}

}  // namespace orrery::exporter::math
