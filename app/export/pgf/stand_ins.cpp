#include "app/export/pgf/stand_ins.h"

#include <array>
#include <string_view>

#include "app/export/math/symbols.h"
#include "app/export/pgf/pgf.h"
#include "app/export/utf8.h"

namespace orrery::exporter::pgf {
namespace {

struct StandIn {
  std::string_view command, definition;
};

constexpr auto constructs = std::to_array<StandIn>({
    {"text", "[1]{\\mathrm{#1}}"},
    {"operatorname", "[1]{\\mathop{\\mathrm{#1}}\\nolimits}"},
    {"mathbb", "[1]{\\mathbf{#1}}"},
    {"boldsymbol", "[1]{\\mathbf{#1}}"},
    {"dfrac", "[2]{{\\displaystyle\\frac{#1}{#2}}}"},
    {"tfrac", "[2]{{\\textstyle\\frac{#1}{#2}}}"},
    {"binom", "[2]{{{#1}\\choose{#2}}}"},
    {"overset", "[2]{\\mathrel{\\mathop{#2}\\limits^{#1}}}"},
    {"underset", "[2]{\\mathrel{\\mathop{#2}\\limits_{#1}}}"},
    {"boxed", "[1]{\\fbox{$#1$}}"},
    {"lvert", "{\\vert}"},
    {"rvert", "{\\vert}"},
    {"lVert", "{\\Vert}"},
    {"rVert", "{\\Vert}"},
    {"lt", "{<}"},
    {"gt", "{>}"},
    {"degree", "{{}^\\circ}"},
    {"iint", "{\\int\\!\\!\\int}"},
    {"iiint", "{\\int\\!\\!\\int\\!\\!\\int}"},
    {"implies", "{\\;\\Longrightarrow\\;}"},
    {"impliedby", "{\\;\\Longleftarrow\\;}"},
    {"hslash", "{\\hbar}"},
    {"centerdot", "{\\cdot}"},
    {"smallsetminus", "{\\setminus}"},
});

// clang-format off
/// Of amssymb, latexsym and mathtools: a test asks pdfLaTeX which these are.
constexpr std::string_view signs[] = {
    "Box", "Cap", "Cup", "Vdash", "approxeq", "backprime", "backsim", "barwedge", "because", "beth", "between",
    "blacksquare", "boxdot", "boxminus", "boxplus", "boxtimes", "checkmark", "circlearrowleft", "circlearrowright",
    "circledast", "circledcirc", "coloneqq", "complement", "curvearrowleft", "curvearrowright", "divideontimes",
    "dotplus", "downdownarrows", "eth", "geqslant", "ggg", "gneq", "gtrless", "gtrsim", "intercal", "leadsto",
    "leftleftarrows", "leftrightarrows", "leftrightharpoons", "leqslant", "lessgtr", "lesssim", "llcorner", "lll",
    "lneq", "lozenge", "lrcorner", "ltimes", "measuredangle", "mho", "multimap", "nLeftarrow", "nRightarrow", "ncong",
    "nexists", "ngeq", "ngtr", "nleftarrow", "nleftrightarrow", "nleq", "nless", "nmid", "nparallel", "nrightarrow",
    "nsubseteq", "nsupseteq", "precsim", "rightarrowtail", "rightleftarrows", "rightrightarrows", "rightsquigarrow",
    "rtimes", "sqsubset", "sqsupset", "square", "subsetneq", "succsim", "supsetneq", "therefore", "trianglelefteq",
    "triangleq", "trianglerighteq", "twoheadleftarrow", "twoheadrightarrow", "ulcorner", "upuparrows", "urcorner",
    "vDash", "varkappa", "varnothing", "varpropto", "vartriangleleft", "vartriangleright", "veebar",
};

/// LaTeX has these as complaints that latexsym is not there.
constexpr std::string_view complaining[] = {"Box", "leadsto", "mho", "sqsubset", "sqsupset"};

constexpr std::string_view of_packages_alone[] = {
    "tbinom", "dbinom", "cfrac", "substack", "xrightarrow", "xleftarrow", "mathfrak", "overbracket", "underbracket",
    "begin{matrix}", "begin{pmatrix}", "begin{bmatrix}", "begin{Bmatrix}", "begin{vmatrix}", "begin{Vmatrix}",
    "begin{smallmatrix}", "begin{cases}", "begin{dcases}", "begin{aligned}", "begin{split}", "begin{gathered}",
    "operatorname*",
};
// clang-format on

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// \lt is not in \ltimes.
bool has(const std::string& body, std::string_view command) {
  const std::string whole = "\\" + std::string(command);
  for (std::size_t at = 0; (at = body.find(whole, at)) != body.npos; at += whole.size()) {
    const std::size_t end = at + whole.size();
    if (!is_letter(whole.back()) || end == body.size() || !is_letter(body[end])) return true;
  }
  return false;
}

}  // namespace

std::string stand_ins(const std::string& body) {
  std::string text;
  const auto provide = [&](std::string_view command, const std::string& definition) {
    if (has(body, command)) text += "\\providecommand{\\" + std::string(command) + "}" + definition + "%\n";
  };
  for (const StandIn& s : constructs) provide(s.command, std::string(s.definition));
  for (const std::string_view sign : complaining)
    if (has(body, sign)) {
      const std::string name = "\\" + std::string(sign);
      text += "\\expandafter\\def\\expandafter\\orreryBare\\expandafter{\\csname not@base\\endcsname" + name +
              "}\\ifx" + name + "\\orreryBare\\let" + name + "\\relax\\fi%\n";
    }
  for (const std::string_view sign : signs)
    if (const auto symbol = math::symbol_for(sign))
      provide(sign, "{\\mbox{" + std::string(foreign_command) + "{" + utf8(symbol->code) + "}}}");
  return text;
}

bool needs_packages(const std::string& body) {
  for (const std::string_view command : of_packages_alone)
    if (has(body, command)) return true;
  for (const std::string_view sign : signs)
    if (has(body, sign)) return true;
  return false;
}

}  // namespace orrery::exporter::pgf
