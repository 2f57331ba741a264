#include "app/export/table_fit.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "app/export/pgf/pgf.h"
#include "app/export/text_runs.h"

namespace orrery::exporter {
namespace {

constexpr double digit = 5, gap = 12, text_width = width_of_a_text;  // pt
constexpr std::size_t long_words = 36;                               // letters

std::size_t letters_of(std::string_view label) {
  const std::string plain = plain_text(label);
  return static_cast<std::size_t>(std::ranges::count_if(plain, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::size_t widest(const LatexColumn& column) {
  std::size_t letters = 0;
  for (const LatexCell& cell : column.cells) letters = std::max(letters, cell.letters);
  return letters;
}

/// How long the word is that stands there.
std::size_t word_at(const std::string& label, std::size_t at) {
  const std::size_t before = label.rfind(' ', at), behind = std::min(label.find(' ', at), label.size());
  return behind - (before == label.npos ? 0 : before + 1);
}

/// Words, and formulas whole; "/ rad" stays together, and a long identifier may break behind a dash below.
std::vector<std::string> pieces(const std::string& label) {
  constexpr std::size_t long_word = 12;
  std::vector<std::string> all{""};
  bool math = false;
  for (std::size_t i = 0; i < label.size(); ++i) {
    const char c = label[i];
    math ^= c == '$';
    if (c == ' ' && !math && all.back() != "/") {
      all.emplace_back();
      continue;
    }
    all.back() += c;
    if (c == '_' && !math && word_at(label, i) > long_word) all.emplace_back();
  }
  return all;
}

std::vector<std::string> lines_within(const std::string& label, std::size_t letters) {
  const std::vector<std::string> words = pieces(label);
  for (const std::string& word : words) letters = std::max(letters, letters_of(word));
  std::vector<std::string> lines{words.front()};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string longer = lines.back() + (lines.back().ends_with('_') ? "" : " ") + words[i];
    if (letters_of(longer) <= letters)
      lines.back() = longer;
    else
      lines.push_back(words[i]);
  }
  return lines;
}

/// Lines may end behind a comma, a semicolon, a dash below, and the point of a name.
std::string breakable(const std::string& tex) {
  std::string text;
  for (std::size_t i = 0; i < tex.size(); ++i) {
    text += tex[i];
    const char next = i + 1 < tex.size() ? tex[i + 1] : ' ';
    const bool command = i > 0 && tex[i - 1] == '\\';  // \, is a thin space, \_ a dash below
    const bool behind = tex[i] == '_'                    ? command
                        : tex[i] == ',' || tex[i] == ';' ? !command
                        : tex[i] == '.'                  ? std::isalpha(static_cast<unsigned char>(next)) != 0
                                                         : false;
    if (behind && next != ' ') text += "\\allowbreak{}";
  }
  return text;
}

/// With its head in lines.
double width_of(const LatexColumn& column) {
  std::size_t letters = widest(column);
  for (const std::string& word : pieces(column.label)) letters = std::max(letters, letters_of(word));
  return digit * static_cast<double>(letters);
}

std::string sample_row(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "{}" : " & ") + cells[i];
  return line + " \\\\";
}

}  // namespace

double natural_width(const std::vector<LatexColumn>& columns) {
  double width = 0;
  for (const LatexColumn& column : columns)
    width += digit * static_cast<double>(std::max(letters_of(column.label), widest(column))) + gap;
  return width;
}

std::vector<std::string> latex_heads(const std::vector<LatexColumn>& columns, bool wide) {
  std::vector<std::string> heads;
  for (const LatexColumn& column : columns) {
    const std::vector<std::string> lines =
        wide ? lines_within(column.label, widest(column)) : std::vector<std::string>{column.label};
    std::string head = pgf::tex_text(lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i)
      head += "\\\\" + pgf::behind_line_end(pgf::tex_text(lines[i]));
    heads.push_back(lines.size() == 1
                        ? head
                        : std::string("\\shortstack[") + (column.words ? "l" : "r") + "]{" + head + "}");
  }
  return heads;
}

void wrap_long_words(std::vector<LatexColumn>& columns) {
  const auto is_long = [](const LatexColumn& column) { return column.words && widest(column) > long_words; };
  const auto number = static_cast<double>(std::ranges::count_if(columns, is_long));
  if (number == 0) return;
  double left = text_width - gap * number;
  for (const LatexColumn& column : columns)
    if (!is_long(column)) left -= width_of(column) + gap;
  const double least = 0.7 / number, most = 0.8;  // of the line, however little the others leave
  const int percent =
      static_cast<int>(100 * std::clamp(left / number / text_width, std::min(0.2, least), most));
  const auto room = static_cast<std::size_t>(percent * text_width / 100 / digit);
  const std::string share = std::string(percent < 10 ? ".0" : ".") + std::to_string(percent);
  for (LatexColumn& column : columns) {
    if (!is_long(column)) continue;
    for (LatexCell& cell : column.cells) {
      if (cell.letters <= room) continue;
      cell.tex =
          "\\parbox[t]{" + share + "\\linewidth}{\\raggedright\\strut " + breakable(cell.tex) + "\\strut}";
      cell.letters = room;
    }
  }
}

std::string fitted(const std::string& body, const std::vector<LatexColumn>& columns,
                   const std::vector<std::string>& heads, const std::string& name) {
  std::vector<std::string> widest_cells;
  for (const LatexColumn& column : columns) {
    const auto cell = std::ranges::max_element(column.cells, {}, &LatexCell::letters);
    widest_cells.push_back(cell == column.cells.end() ? "" : cell->tex);
  }
  const std::string measure = "\\setbox0\\hbox{\\orrerySample}%\n", too_wide = "\\ifdim\\wd0>\\linewidth";
  std::string text =
      "\\begingroup\n% As small as the line asks for: tried on its heads and its widest cells.\n"
      "\\def\\orrerySample{\\begin{tabular}{" +
      alignment(columns) + "}\n" + sample_row(heads) + "\n" + sample_row(widest_cells) +
      "\n\\end{tabular}}%\n" + measure;
  for (const auto& [size, between] : {std::pair("small", "4pt"), std::pair("footnotesize", "3pt"),
                                      std::pair("scriptsize", "2pt"), std::pair("tiny", "1.2pt")})
    text += too_wide + "\\" + size + "\\setlength{\\tabcolsep}{" + between + "}" +
            measure.substr(0, measure.size() - 2) + "\\fi\n";
  text += too_wide + "\\GenericWarning{}{Orrery: table " + name +
          " is \\the\\wd0 \\space wide, and the text \\the\\linewidth: a page on its side may hold it}\\fi\n";
  return text + "\\noindent\n" + body + "\\endgroup\n";
}

std::string alignment(const std::vector<LatexColumn>& columns) {
  std::string text;
  for (const LatexColumn& column : columns) text += column.words ? 'l' : 'r';
  return text;
}

}  // namespace orrery::exporter
