#include "app/gui/study_search.h"

#include <array>
#include <sstream>
#include <string>

namespace orrery::gui {
namespace {

struct Letter {
  std::string_view letter, tex;
};
constexpr std::array greek{
    Letter{"\u03B1", "\\alpha"},  Letter{"\u03B2", "\\beta"},    Letter{"\u03B3", "\\gamma"},
    Letter{"\u03B4", "\\delta"},  Letter{"\u03B5", "\\epsilon"}, Letter{"\u03B6", "\\zeta"},
    Letter{"\u03B7", "\\eta"},    Letter{"\u03B8", "\\theta"},   Letter{"\u03B9", "\\iota"},
    Letter{"\u03BA", "\\kappa"},  Letter{"\u03BB", "\\lambda"},  Letter{"\u03BC", "\\mu"},
    Letter{"\u03BD", "\\nu"},     Letter{"\u03BE", "\\xi"},      Letter{"\u03C0", "\\pi"},
    Letter{"\u03C1", "\\rho"},    Letter{"\u03C3", "\\sigma"},   Letter{"\u03C4", "\\tau"},
    Letter{"\u03C6", "\\varphi"}, Letter{"\u03C7", "\\chi"},     Letter{"\u03C8", "\\psi"},
    Letter{"\u03C9", "\\omega"},  Letter{"\u03A6", "\\phi"},     Letter{"\u03A3", "\\sum"}};

/// In small letters, Greek ones by their names in TeX: what is typed and what is searched meet here.
std::string plain(std::string_view text) {
  std::string folded(text);
  for (char& c : folded)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const auto& [letter, tex] : greek)
    for (std::size_t at = folded.find(letter); at != folded.npos; at = folded.find(letter, at + tex.size()))
      folded.replace(at, letter.size(), tex);
  return folded;
}

std::string everything_said(const study::Study& study) {
  std::string text;
  for (const std::string_view part :
       {study.id, study.title, study.topic, study.summary, study.formula, study.about, study.source})
    text.append(part) += '\n';
  for (const parameter::Parameter& p : study.parameters)
    for (const std::string_view part : {p.name, p.label, p.choices}) text.append(part) += '\n';
  return plain(text);
}

}  // namespace

bool matches(const study::Study& study, std::string_view typed) {
  const std::string said = everything_said(study);
  std::istringstream words(plain(typed));
  for (std::string word; words >> word;)
    if (said.find(word) == said.npos) return false;
  return true;
}

}  // namespace orrery::gui
