// Labels in LaTeX's words.
#include <algorithm>
#include <array>
#include <string>

#include "app/export/math/symbols.h"
#include "app/export/pgf/pgf.h"
#include "app/export/text_runs.h"
#include "app/export/utf8.h"

namespace orrery::exporter::pgf {
namespace {

struct Written {
  char32_t code;
  std::string_view tex;
};

/// Signs of prose. What is mathematics stands in dollar signs.
constexpr auto prose_signs = std::to_array<Written>({
    {U'%', "\\%"},
    {U'#', "\\#"},
    {U'&', "\\&"},
    {U'_', "\\_"},
    {U'{', "\\{"},
    {U'}', "\\}"},
    {U'$', "\\$"},
    {U'<', "$<$"},
    {U'>', "$>$"},
    {U'|', "$|$"},
    {U'"', "\\texttt{\\char34}"},  // straight, which the letters of prose have not in every encoding
    {U'°', "$^\\circ$"},
    {U'²', "$^2$"},
    {U'³', "$^3$"},
    {U'¹', "$^1$"},
    {U'½', "$\\frac12$"},
    {U'¼', "$\\frac14$"},
    {U'′', "$'$"},
    {U'″', "$''$"},
    {U'…', "\\dots{}"},
    {U'–', "--"},
    {U'—', "---"},
    {U'‘', "`"},
    {U'’', "'"},
    {U'“', "``"},
    {U'”', "''"},
    {U'„', ",,"},
    {U'\u00A0', "~"},
    {U'\u2009', "\\,"},
    {U'\u202F', "\\,"},
    {U'\u2007', "~"},
    {U'\u200A', "\\,"},
    {U'\u2011', "-"},
    {U'√', "$\\surd$"},
    {U'µ', "$\\mu$"},
    {U'~', "\\textasciitilde{}"},
    {U'^', "\\textasciicircum{}"},
    {U'\\', "\\textbackslash{}"},
    {U'•', "\\textbullet{}"},
    {U'−', "$-$"},
});

/// The shortest command that a plain LaTeX has for a sign; nothing where there is none. Capital Greek letters that look
/// like Latin ones are those.
std::string command_for(char32_t code) {
  switch (code) {
    case U'−':
      return "-";
    case U'′':
      return "'";
    case U'×':
      return "\\times ";
    case U'·':
      return "\\cdot ";
    case U'∕':
      return "/";
    case U'∗':
      return "*";
    default:
      break;
  }
  std::string_view best;
  for (const math::Symbol& symbol : math::all_symbols())
    if (symbol.code == code && (best.empty() || symbol.name.size() < best.size())) best = symbol.name;
  if (best.empty()) return {};
  // The look-alikes of TeX's own: \le of \leq is the same.
  return "\\" + std::string(best) + " ";
}

/// Latin letters for which no LaTeX has a command.
constexpr std::u32string_view unnamed_letters = U"ĦħĸĿŀŉŦŧſ";

/// Where a line may break, which way it runs: pages that words are copied from are full of them.
constexpr std::u32string_view unseen = U"\u00AD\u200B\u200E\u200F\u2060\uFEFF";

/// Letters of other scripts: whether the document has them is not known here.
std::string foreign(char32_t c) {
  return std::string(foreign_command) + "{" + utf8(c) + "}";
}

std::string prose(const std::string& text) {
  std::string out;
  for (const char32_t c : characters(composed(text))) {
    if (unseen.find(c) != unseen.npos) continue;
    if (c == U'-' && out.ends_with('-')) out += "{}";  // two in a row are a dash there
    if (c == U'`' && (out.ends_with('?') || out.ends_with('!'))) out += "{}";  // and these are ¿ and ¡
    const auto* const sign = std::ranges::find(prose_signs, c, &Written::code);
    if (sign != prose_signs.end()) {
      out += sign->tex;
    } else if (c < 0x80 || (c >= 0xC0 && c < 0x180 && c != U'×' && c != U'÷' &&
                            unnamed_letters.find(c) == unnamed_letters.npos)) {
      out += c < 0x20 || c == 0x7F ? " " : utf8(c);  // Latin letters are LaTeX's own
    } else if (std::string command = command_for(c); !command.empty()) {
      while (command.ends_with(' ')) command.pop_back();
      out += '$' + command + '$';
    } else {
      out += foreign(c);
    }
  }
  return out;
}

std::string mathematics(const std::string& tex) {
  std::string out;
  for (const char32_t c : characters(tex)) {
    const std::string command = c < 0x80 ? utf8(c) : command_for(c);
    out += command.empty() ? "\\mbox{" + foreign(c) + "}" : command;
  }
  return out;
}

/// −0.25, 500 000: set with the digits and the minus of mathematics, as tick labels are.
bool is_number(const std::string& text) {
  bool digit = false;
  for (const char32_t c : characters(text)) {
    if (c >= U'0' && c <= U'9')
      digit = true;
    else if (c != U'.' && c != U'−' && c != U'+' && c != U'\u2009' && c != U'\u202F')
      return false;
  }
  return digit;
}

std::string number(const std::string& text) {
  std::string out = "$";
  for (const char32_t c : characters(text))
    out += c == U'−' ? "-" : c == U'\u2009' || c == U'\u202F' ? "\\," : utf8(c);
  return out + "$";
}

}  // namespace

std::string tex_text(std::string_view label, bool bold) {
  std::string out;
  for (const TextRun& run : split_text(label)) {
    if (run.math)
      out += "$" + mathematics(run.text) + "$";
    else if (!bold && is_number(run.text))
      out += number(run.text);
    else
      out += prose(run.text);
  }
  return out;
}

std::string behind_line_end(const std::string& tex) {
  return tex.starts_with('[') || tex.starts_with('*') ? "{}" + tex : tex;
}

}  // namespace orrery::exporter::pgf
