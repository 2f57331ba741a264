#include "app/export/table_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/export/pgf/pgf.h"
#include "app/export/table_fit.h"
#include "app/export/text_runs.h"
#include "app/figure/cell_text.h"

namespace orrery::exporter {
namespace {

using figure::Column;
using figure::ShownNumber;
using figure::Table;

/// A page of a book holds about as many lines beside some text.
constexpr std::size_t most_rows_on_a_page = 40;

std::size_t rows_of(const Table& table) {
  return table.columns.empty() ? 0 : table.columns.front().values.size();
}

/// "wavelength / tokens".
std::string head(const Column& column) {
  return column.unit.empty() ? column.name : column.name + " / " + column.unit;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// Digits that stand above the line: "⁻⁸".
std::string superscript(int exponent) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(exponent)) text += c == '-' ? "⁻" : digits[c - '0'];
  return text;
}

std::string markdown_number(const ShownNumber& x) {
  return x.exponent ? x.digits + " × 10" + superscript(*x.exponent) : x.digits;
}

/// A bar would end the cell, a star, an underscore or a dollar sign would change the letters; what stands in dollar signs
/// stays as it is, but for bars.
std::string markdown_cell(const std::string& label) {
  std::string text;
  for (const TextRun& run : split_text(label)) {
    if (run.math) {
      text += "$" + replaced(run.text, "|", "\\vert ") + "$";
      continue;
    }
    for (const char c : run.text) {
      if (std::string_view("|*_`\\<[]$").find(c) != std::string_view::npos) text += '\\';
      text += c == '\n' ? ' ' : c;
    }
  }
  return text;
}

std::string latex_number(const ShownNumber& x) {
  std::string digits = replaced(replaced(x.digits, "\u2212", "-"), "\u2009", "\\,");
  if (digits == "NaN") return "NaN";
  digits = replaced(std::move(digits), "\u221E", "\\infty");
  if (x.exponent) digits += " \\times 10^{" + std::to_string(*x.exponent) + "}";
  return "$" + digits + "$";
}

std::string joined(const std::vector<std::string>& cells) {
  std::string line = pgf::behind_line_end(cells.empty() ? std::string() : cells.front());
  for (std::size_t i = 1; i < cells.size(); ++i) line += " & " + cells[i];
  return line + " \\\\\n";
}

std::size_t letters_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Of " × 10" and smaller digits.
std::size_t exponent_letters(const ShownNumber& x) {
  return x.exponent ? 4 + std::to_string(*x.exponent).size() : 0;
}

std::vector<LatexColumn> latex_columns(const Table& table) {
  std::vector<LatexColumn> columns;
  for (const Column& column : table.columns) {
    const figure::ColumnStyle style = figure::column_style(column);
    LatexColumn made{.label = head(column), .words = column.of_words()};
    for (std::size_t i = 0; i < rows_of(table); ++i) {
      if (made.words) {
        made.cells.push_back({pgf::tex_text(column.words[i]), letters_in(plain_text(column.words[i]))});
        continue;
      }
      const ShownNumber x = figure::shown_number(column.values[i], style);
      made.cells.push_back({latex_number(x), letters_in(x.digits) + exponent_letters(x)});
    }
    columns.push_back(std::move(made));
  }
  return columns;
}

std::string comment(const std::string& text) {
  return "% " + replaced(replaced(text, "\n", " "), "\r", " ") + "\n";
}

}  // namespace

std::string markdown_table(const Table& table, std::string_view caption) {
  std::string text;
  const auto line = [&](const std::vector<std::string>& cells) {
    text += "|";
    for (const std::string& cell : cells) text += " " + cell + " |";
    text += "\n";
  };
  std::vector<std::string> heads;
  for (const Column& column : table.columns) heads.push_back(markdown_cell(head(column)));
  line(heads);
  std::vector<std::string> sides;  // numbers end where their column does, words begin there
  for (const Column& column : table.columns) sides.emplace_back(column.of_words() ? ":--" : "--:");
  line(sides);
  std::vector<figure::ColumnStyle> styles;
  for (const Column& column : table.columns) styles.push_back(figure::column_style(column));
  for (std::size_t i = 0; i < rows_of(table); ++i) {
    std::vector<std::string> cells;
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      cells.push_back(table.columns[j].of_words()
                          ? markdown_cell(table.columns[j].words[i])
                          : markdown_number(figure::shown_number(table.columns[j].values[i], styles[j])));
    line(cells);
  }
  if (!caption.empty()) text += "\nTable: " + markdown_cell(std::string(caption)) + "\n";
  return text;
}

std::string latex_table(const Table& table, std::string_view caption, const std::string& stem) {
  std::vector<LatexColumn> columns = latex_columns(table);
  const double width = natural_width(columns);
  const bool wide = width > width_of_a_text;
  if (wide) wrap_long_words(columns);
  const std::vector<std::string> heads = latex_heads(columns, wide);
  std::string rows;
  for (std::size_t i = 0; i < rows_of(table); ++i) {
    std::vector<std::string> cells;
    for (const LatexColumn& column : columns) cells.push_back(column.cells[i].tex);
    rows += joined(cells);
  }
  const bool is_long = rows_of(table) > most_rows_on_a_page;
  const std::string said = caption.empty() ? "" : "\\caption{" + pgf::tex_text(caption) + "}";
  std::string body;
  const std::string head = "\\toprule\n" + joined(heads) + "\\midrule\n";
  if (is_long)
    body = "\\begin{longtable}{" + alignment(columns) + "}\n" +
           (said.empty() ? "" : said + " \\\\\n" + head + "\\endfirsthead\n") + head +
           "\\endhead\n\\bottomrule\n\\endfoot\n" + rows + "\\end{longtable}\n";
  else
    body = "\\begin{tabular}{" + alignment(columns) + "}\n" + head + rows + "\\bottomrule\n\\end{tabular}\n";
  if (width > width_of_a_column) body = fitted(body, columns, heads, pgf::tex_text(plain_text(table.name)));
  if (!said.empty() && !is_long)
    body = "\\begin{table}[tbp]\n\\centering\n" + said + "\n" + body + "\\end{table}\n";
  const std::string packages =
      is_long ? "\\usepackage{booktabs,longtable}" : std::string("\\usepackage{booktabs}");
  return comment("A table made by Orrery: " + plain_text(table.name)) +
         comment("In a document: " + packages + " … \\input{" + stem + "}") + pgf::needed_commands(body) +
         body;
}

}  // namespace orrery::exporter
