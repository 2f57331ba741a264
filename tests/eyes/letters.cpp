#include "tests/eyes/letters.h"

#include <glib.h>

#include <memory>

#include "app/export/math/parse.h"
#include "app/export/text_runs.h"
#include "app/export/utf8.h"

namespace orrery::eyes {
namespace {

using exporter::math::Node;

void say(const Node& node, std::string& text) {
  switch (node.kind) {
    case Node::Kind::symbol:
      text += exporter::utf8(node.code);
      break;
    case Node::Kind::words:
    case Node::Kind::unknown:
      text += node.text;
      break;
    case Node::Kind::phantom:
      return;
    default:
      break;
  }
  for (const Node& part : node.parts) say(part, text);
}

/// LaTeX has one letter for both: capital Greek ones that look like Latin ones are those.
char32_t one_of_a_kind(char32_t c) {
  constexpr std::u32string_view greek = U"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", latin = U"ABEZHIKMNOPTYXo";
  constexpr char32_t increment = 0x2206, delta = 0x0394;  // what poppler takes TeX's Δ for
  if (c == increment) return delta;
  const auto at = greek.find(c);
  return at == std::u32string_view::npos ? c : latin[at];
}

}  // namespace

std::u32string letters(std::string_view text) {
  const std::unique_ptr<char, decltype(&g_free)> plain(
      g_utf8_normalize(text.data(), static_cast<gssize>(text.size()), G_NORMALIZE_ALL_COMPOSE), &g_free);
  std::u32string kept;
  if (!plain) return kept;
  constexpr char32_t hat = 0x02C6;  // what TeX sets over a letter counts as a letter to Unicode
  for (const char32_t c : exporter::characters(plain.get()))
    if (const char32_t letter = one_of_a_kind(c); g_unichar_isalnum(letter) && letter != hat) kept += letter;
  return kept;
}

Letters letters_of_label(std::string_view label) {
  Letters result;
  std::string text;
  for (const exporter::TextRun& run : exporter::split_text(label)) {
    result.formula |= run.math;
    if (run.math)
      say(exporter::math::parse(run.text), text);
    else
      text += run.text;
  }
  result.text = letters(text);
  return result;
}

}  // namespace orrery::eyes
