#include "app/study/kit/board.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "app/study/kit/panels.h"
#include "app/study/kit/worked_exact.h"
#include "app/study/text.h"

namespace orrery::study {
namespace {

using figure::HAlign;
using figure::Ink;
using figure::Note;
using figure::Role;

/// "−1.25", "3.1e-5", "12 MiB", "2^16": a number, perhaps with a unit. A name with a digit in it is none: "Gemma 2B".
bool is_number(std::string_view text) {
  for (const std::string_view sign : {"-", "+", "\u2212", "\u2264", "\u2265", "<", ">", "~", "\u00B1", " "})
    if (text.starts_with(sign)) return is_number(text.substr(sign.size()));
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

/// Mathematics and words are set as such; numbers in a voice of their own, below each other.
bool digits_alone(const std::string& text) {
  constexpr std::ptrdiff_t with_a_unit = 1;  // of more words it is a sentence
  return text.find('$') == std::string::npos && is_number(text) &&
         std::ranges::count(text, ' ') <= with_a_unit;
}

Note written(double x, double y, const std::string& text, HAlign h, Ink ink) {
  Note note{.x = x, .y = y, .text = text, .ink = ink};
  note.h = h;
  note.numbers = digits_alone(text);
  return note;
}

Ink ink_of(const BoardLine& line, bool marked) {
  if (line.loud || (marked && !line.quiet)) return ink(Role::accent);
  return ink(line.quiet ? Role::secondary : Role::text);
}

std::string digits_of(double x, std::chars_format format, int precision) {
  char buffer[400];  // the longest double in fixed notation has 309 digits before its point
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x, format, precision).ptr};
}

std::string in_parentheses_if_negative(std::string text) {
  return text.starts_with('-') ? "(" + text + ")" : text;
}

}  // namespace

double board_height(const std::vector<BoardLine>& lines) {
  double height = 0;
  for (const BoardLine& line : lines) height += line.height;
  return height;
}

std::string in_dollars(const std::string& tex) {
  return "$" + tex + "$";
}

int signs_seen(std::string_view text) {
  int seen = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto code = static_cast<unsigned char>(text[at]);
    if (text.substr(at).starts_with("\\frac{")) {
      const std::size_t over = at + 6, middle = text.find("}{", over);
      const std::size_t end = middle == text.npos ? text.npos : text.find('}', middle + 2);
      if (end == text.npos) break;
      seen += std::max(signs_seen(text.substr(over, middle - over)),
                       signs_seen(text.substr(middle + 2, end - middle - 2)));
      at = end;
    } else if (code == '\\') {  // a command is one sign
      ++seen;
      while (at + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[at + 1])) != 0) ++at;
    } else if (std::string_view("{}$ ").find(text[at]) == std::string_view::npos && (code & 0xC0) != 0x80) {
      ++seen;
    }
  }
  return seen;
}

figure::Panel board_panel(const BoardLook& look, const std::vector<BoardLine>& lines) {
  figure::Panel panel{.title = look.title,
                      .x = {.range = figure::Range{-0.005, 1.005}, .visible = false},
                      .y = {.range = figure::Range{-board_height(lines), 0}, .visible = false},
                      .legend = figure::LegendPlace::none};
  const bool shapes = std::ranges::any_of(lines, [](const BoardLine& line) { return !line.shape.empty(); });
  const double width =
      (look.cells_to - look.cells_from) / static_cast<double>(std::max<std::size_t>(look.columns, 1));
  double top = 0;
  for (const BoardLine& line : lines) {
    const double y = top - line.height / 2;
    top -= line.height;
    const auto write = [&](double x, const std::string& text, HAlign h, bool marked) {
      if (!text.empty()) panel.marks.emplace_back(written(x, y, text, h, ink_of(line, marked)));
    };
    write(0, line.name, HAlign::left, false);
    write(look.cells_from, line.statement, HAlign::left, false);
    // Beside each other numbers, or the names above them, run together where the widest has no room: all are smaller then.
    constexpr double share = 0.95;  // of a column; the rest parts them
    const bool roomed =
        line.cells.size() > 1 && (line.quiet || std::ranges::all_of(line.cells, digits_alone));
    for (std::size_t c = 0; c < line.cells.size(); ++c) {
      if (line.cells[c].empty()) continue;
      write(look.cells_from + width * static_cast<double>(c + 1), line.cells[c], HAlign::right,
            static_cast<int>(c) == look.marked);
      if (roomed) std::get<Note>(panel.marks.back()).room = share * width;
      std::get<Note>(panel.marks.back()).typed = line.typed;
    }
    if (shapes && !line.shape.empty())
      panel.marks.emplace_back(written(1, y, line.shape, HAlign::right, ink(Role::secondary)));
  }
  return panel;
}

int right_decimals(int asked, double error) {
  int decimals = asked;
  while (decimals > 0 && std::pow(10.0, -decimals) < 2 * error) --decimals;
  return decimals;
}

std::string tex_digits(double x, int significant) {
  if (x == 0) return "0";
  if (!std::isfinite(x)) return digits_of(x, std::chars_format::general, significant);
  const std::string scientific = digits_of(x, std::chars_format::scientific, significant - 1);
  const std::size_t e = scientific.find('e');
  const int power = std::stoi(scientific.substr(e + 1));
  const auto trimmed = [](std::string text) {
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  };
  if (power >= -4 && power < std::max(significant, 10))
    return trimmed(digits_of(x, std::chars_format::fixed, std::max(0, significant - 1 - power)));
  const std::string mantissa = trimmed(scientific.substr(0, e)), tens = "10^{" + std::to_string(power) + "}";
  if (mantissa == "1") return tens;
  return mantissa + " \\cdot " + tens;
}

std::string tex_factor(double x, int significant) {
  return in_parentheses_if_negative(tex_digits(x, significant));
}

std::string tex_exact(double x) {
  const auto reads_back = [&](int digits) {
    const std::string text = digits_of(x, std::chars_format::scientific, digits - 1);
    double read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);
    return read == x;
  };
  int digits = 1;
  while (digits < 17 && !reads_back(digits)) ++digits;
  return tex_digits(x, digits);
}

std::string tex_exact_factor(double x) {
  return in_parentheses_if_negative(tex_exact(x));
}

std::string cell_text(double x, int decimals) {
  return fixed_text(std::abs(x) < 0.5 * std::pow(10, -decimals) ? 0 : x, decimals);
}

std::string tex_fixed(double x, int decimals) {
  std::string text = digits_of(x, std::chars_format::fixed, decimals);
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string tex_fixed_factor(double x, int decimals) {
  return in_parentheses_if_negative(tex_fixed(x, decimals));
}

bool gives_back(std::string_view shown, double value) {
  constexpr double roundings = 1e-14;
  return std::abs(worked::amount_of(shown).about - value) <= roundings * std::abs(value);
}

std::string equals(std::string_view expression, std::string_view shown, double value, bool in_full) {
  const bool exact = in_full && gives_back(shown, value) &&
                     equal(worked::amount_of(expression).exact, worked::amount_of(shown).exact);
  return exact ? " = " : " \\approx ";
}

}  // namespace orrery::study
