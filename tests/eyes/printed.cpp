#include "tests/eyes/printed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "app/recipe/command.h"
#include "core/tensor/error.h"
#include "tests/eyes/letters.h"
#include "tests/eyes/strokes.h"
#include "tests/support/files.h"

namespace orrery::eyes {
namespace {

namespace fs = std::filesystem;

constexpr double enlarged = 10;
constexpr double per_point = 3 * enlarged;  // pdftohtml's units, at its largest zoom
constexpr Engine pdflatex{"pdflatex", "texlive-latex-base"}, xelatex{"xelatex", "texlive-xetex"};

// Poppler's box of a string reaches from the font's own ascent to its descent: what Latin Modern says of all its faces.
constexpr double descent = 0.194;
// Of Droid Sans Fallback, which says 0.124.
constexpr double han_descent = 0.124;

std::string preamble(const Engine& engine, const std::string& packages, const std::string& han) {
  std::string text =
      "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{lmodern}\n" + packages;
  if (engine.program == xelatex.program) {
    // Between a Latin letter and a Han character the font changes, as xeCJK does it.
    for (const char* series : {"m", "bx"})
      text += std::string("\\DeclareFontFamily{TU}{han}{}\\DeclareFontShape{TU}{han}{") + series +
              "}{n}{<->\"" + han + "\"}{}\n";
    text +=
        "\\newXeTeXintercharclass\\han\n\\newcount\\letter\n"
        "\\def\\class#1#2{\\letter=#1\\relax\\loop\\XeTeXcharclass\\letter=\\han\n"
        "  \\ifnum\\letter<#2\\relax\\advance\\letter by 1 \\repeat}\n"
        "\\class{\"3000}{\"303F}\\class{\"4E00}{\"9FFF}\\class{\"FF00}{\"FFEF}\n"
        "\\XeTeXinterchartokenstate=1\n"
        "\\def\\enter{\\begingroup\\fontencoding{TU}\\fontfamily{han}\\selectfont}\n"
        "\\XeTeXinterchartoks 0 \\han={\\enter}\\XeTeXinterchartoks 4095 \\han={\\enter}\n"
        "\\XeTeXinterchartoks \\han 0={\\endgroup}\\XeTeXinterchartoks \\han 4095={\\endgroup}\n";
  }
  return text;
}

std::string document(const Engine& engine, const std::string& stem, const std::string& han) {
  return preamble(engine,
                  "\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}\n\\hoffset=-1in \\voffset=-1in\n",
                  han) +
         "\\begin{document}\n\\setbox1=\\hbox{\\input{" + stem +
         "}}%\n"
         "\\pdfpagewidth=10\\wd1 \\pdfpageheight=10\\ht1\n\\shipout\\hbox{\\scalebox{10}{\\copy1}}%\n"
         "\\pdfpagewidth=10\\ht1 \\pdfpageheight=10\\wd1\n"
         "\\shipout\\hbox{\\scalebox{10}{\\rotatebox{-90}{\\copy1}}}%\n\\end{document}\n";
}

std::string han_font() {
  const std::string command = "fc-list :lang=zh family";
  std::string family;
  if (FILE* pipe = popen(command.c_str(), "r")) {
    for (int c = std::fgetc(pipe); c != EOF && c != '\n' && c != ','; c = std::fgetc(pipe))
      family += static_cast<char>(c);
    pclose(pipe);
  }
  return family;
}

/// Runs a line in the folder; what it printed goes to `to`.
bool ran(const fs::path& folder, const std::string& line, const std::string& to) {
  const auto quoted = [](const fs::path& p) { return recipe::shell_word(p.string()); };
  return std::system(("cd " + quoted(folder) + " && " + line + " >" + to + " 2>said").c_str()) == 0;
}

void refuse_complaints(const fs::path& log) {
  std::istringstream lines(support::contents(log));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("! ") || line.find("Missing character") != std::string::npos)
      throw Failure(wrong("LaTeX complains: {}", foreign(line)));
}

std::string plain(std::string text) {
  text = std::regex_replace(text, std::regex("<[^>]*>"), "");
  text = std::regex_replace(text, std::regex("&#160;"), " ");
  for (const auto& [entity, sign] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    text = std::regex_replace(text, std::regex(entity), sign);
  return std::regex_replace(text, std::regex("&#[0-9]+;"), "");
}

/// pdftohtml joins neighbours by a space, and they may be two texts: each word is a string, in its share of the whole.
void add_words(const std::string& text, const Printed& whole, std::vector<Printed>& to) {
  const double step = (whole.right - whole.left) / std::max(1.0, static_cast<double>(text.size()));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) {
      Printed word = whole;
      word.letters = letters(text.substr(begin, end - begin));
      word.left = whole.left + static_cast<double>(begin) * step;
      word.right = whole.left + static_cast<double>(end) * step;
      to.push_back(std::move(word));
    }
    begin = end + 1;
  }
}

/// The strings that lie flat on each page: of others pdftohtml knows no width.
std::array<std::vector<Printed>, 2> flat_strings(const std::string& xml) {
  static const std::regex font(
      "<fontspec id=\"([0-9]+)\" size=\"([0-9]+)\" family=\"([^\"]*)\" color=\"#([0-9a-f]{6})\"");
  static const std::regex string(
      "<text top=\"(-?[0-9]+)\" left=\"(-?[0-9]+)\" width=\"(-?[0-9]+)\" height=\"(-?[0-9]+)\" "
      "font=\"([0-9]+)\">(.*)</text>");
  struct Font {
    double size = 0, below = 0;  // bp
    bool han = false;
    figure::Color color{};
  };
  std::vector<Font> fonts;
  std::array<std::vector<Printed>, 2> pages;
  std::size_t page = 0;
  std::istringstream lines(xml);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("<page number=\"2\"")) page = 1;
    if (std::regex_search(line, found, font)) {
      const double size = std::stod(found[2]) / per_point;
      const bool latin = found[3].str().find("LM") != std::string::npos;
      fonts.resize(std::max(fonts.size(), std::stoul(found[1]) + 1));
      const auto color = figure::rgb(static_cast<std::uint32_t>(std::stoul(found[4], nullptr, 16)));
      fonts[std::stoul(found[1])] = {size, size * (latin ? descent : han_descent), !latin, color};
    } else if (std::regex_search(line, found, string) && std::stod(found[3]) > 0) {
      const Font& in = fonts.at(std::stoul(found[5]));
      const double left = std::stod(found[2]) / per_point;
      const Printed whole{{},
                          left,
                          left + std::stod(found[3]) / per_point,
                          (std::stod(found[1]) + std::stod(found[4])) / per_point - in.below,
                          in.size,
                          in.color,
                          in.han};
      add_words(plain(found[6]), whole, pages[page]);
    }
  }
  return pages;
}

}  // namespace

const Engine& engine_for(bool han) {
  return han ? xelatex : pdflatex;
}

std::string missing_for(const Engine& engine) {
  for (const auto& [program, package] : {std::pair{engine.program, engine.package},
                                         {std::string_view("pdftohtml"), "poppler-utils"},
                                         {std::string_view("pdftocairo"), "poppler-utils"}})
    if (!support::have(std::string(program)))
      return std::string(program) + " (package " + std::string(package) + ")";
  if (std::system("kpsewhich pgfplots.sty >/dev/null 2>&1") != 0)
    return "pgfplots (package texlive-pictures)";
  if (std::system("kpsewhich lmodern.sty >/dev/null 2>&1") != 0) return "Latin Modern (package lmodern)";
  if (engine.program == xelatex.program && han_font().empty())
    return "a font with Han characters (package fonts-droid-fallback)";
  return {};
}

PrintedPage print(const Engine& engine, const fs::path& tex) {
  const fs::path folder = tex.parent_path();
  support::put(folder / "document.tex", document(engine, tex.stem().string(), han_font()));
  const bool set = ran(
      folder, std::string(engine.program) + " -interaction=batchmode -halt-on-error document.tex", "printed");
  refuse_complaints(folder / "document.log");
  if (!set || !ran(folder, "pdftohtml -xml -i -zoom 3 -stdout document.pdf", "strings.xml") ||
      !ran(folder, "pdftocairo -svg -f 1 -l 1 document.pdf strokes.svg", "printed"))
    throw Failure(
        wrong("{} cannot be printed: {}", tex.string(), foreign(support::contents(folder / "said"))));
  PrintedPage page;
  auto [flat, turned] = flat_strings(support::contents(folder / "strings.xml"));
  page.flat = std::move(flat);
  page.turned = std::move(turned);
  page.strokes = strokes_of(support::contents(folder / "strokes.svg"), 1 / enlarged);
  return page;
}

std::string words_of(const Engine& engine, const fs::path& folder, const std::string& packages,
                     const std::string& body) {
  support::put(folder / "document.tex",
               preamble(engine, packages, han_font()) + "\\begin{document}\n" + body + "\\end{document}\n");
  const bool set = ran(
      folder, std::string(engine.program) + " -interaction=batchmode -halt-on-error document.tex", "printed");
  refuse_complaints(folder / "document.log");
  if (!set || !ran(folder, "pdftotext -layout document.pdf words.txt", "printed"))
    throw Failure(
        wrong("{} cannot be printed: {}", folder.string(), foreign(support::contents(folder / "said"))));
  return support::contents(folder / "words.txt");
}

}  // namespace orrery::eyes
