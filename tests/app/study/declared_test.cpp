// What must stay true of all studies' declarations: each is in the list, `show` chooses among what is shown, and what was
// once typed or written is still understood.
#include <gtest/gtest.h>

#include <cmath>
#include <compare>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "app/study/study.h"
#include "core/tensor/error.h"
#include "tests/support/files.h"
#include "tests/support/source.h"

namespace orrery::study::declared_test {
namespace {

namespace fs = std::filesystem;
using parameter::Parameter;

using support::contents;

TEST(StudyList, NamesEveryStudyThatIsWritten) {
  std::set<std::string> listed, written;
  for (const Study* study : studies()) listed.insert(std::string(study->id));
  const std::regex definition("extern const Study study\\s*=?\\s*\\{\\s*\\.id = \"([^\"]+)\"");
  for (const auto& file : fs::recursive_directory_iterator(support::source("app/study"))) {
    if (file.path().extension() != ".cpp") continue;
    const std::string text = contents(file.path());
    for (std::sregex_iterator it(text.begin(), text.end(), definition), end; it != end; ++it)
      written.insert((*it)[1]);
  }
  EXPECT_EQ(listed, written);
}

/// Whether a parameter says which of the figure's panels are drawn.
bool chooses_panels(const Parameter& p) {
  return p.presentation && p.kind == parameter::Kind::choice && p.choices.starts_with("all|");
}

/// What figures differ by: their shape, the words of their panels, the numbers of their marks.
struct Sketch {
  std::string words;
  std::vector<double> all;
  auto operator<=>(const Sketch&) const = default;
};

Sketch sketch(const figure::Figure& figure) {
  Sketch s{{}, {figure.aspect, static_cast<double>(figure.panels.size())}};
  const auto add = [&](const auto& values) {
    for (const auto v : values) s.all.push_back(std::isfinite(v) ? static_cast<double>(v) : 1e300);
  };
  for (const figure::Panel& panel : figure.panels) {
    s.words += panel.title + "|" + panel.x.label + "|" + panel.y.label + "|";
    for (const figure::Mark& mark : panel.marks) {
      s.all.push_back(static_cast<double>(mark.index()));
      std::visit(
          [&](const auto& m) {
            if constexpr (requires { m.filled; }) s.all.push_back(m.filled);
            if constexpr (requires { m.sampler; }) {
              if (m.grid) add(m.grid->values);
              if (m.sampler) add(m.sampler(m.x, m.y, 7, 5).values);
            } else if constexpr (requires { m.y.size(); }) {
              add(m.y);
            }
          },
          mark);
    }
  }
  return s;
}

TEST(Show, ChoosesAnotherFigureByEachOfItsNames) {
  int studies_that_show = 0;
  for (const Study* study : studies())
    for (const Parameter& p : study->parameters) {
      if (!chooses_panels(p)) continue;
      ++studies_that_show;
      std::map<Sketch, std::string> seen;
      const std::size_t choices = parameter::choices_of(p).size();
      for (const std::string_view choice : parameter::choices_of(p)) {
        SCOPED_TRACE(std::string(study->id) + " " + std::string(p.name) + "=" + std::string(choice));
        parameter::Settings settings(study->parameters);
        settings.set(p.name, choice);
        StudyResult result;
        // A choice that names no panel, or a panel that no choice names, is a Failure of the Picture.
        ASSERT_NO_THROW(result = study->compute(settings, study::Run()));
        ASSERT_FALSE(result.figure.panels.empty());
        const auto [same, first] = seen.try_emplace(sketch(result.figure), std::string(choice));
        EXPECT_TRUE(first) << "shows what " << same->second << " shows";
      }
      EXPECT_GT(choices, 2u) << study->id;
    }
  EXPECT_GT(studies_that_show, 20);  // all but numerics/twins
}

TEST(Spellings, OfTheFirstReleasesAreUnderstood) {
  std::istringstream lines(contents(support::source("tests/app/study/spellings.txt")));
  int read = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    SCOPED_TRACE(line);
    std::istringstream words(line);
    std::string id, name, texts;
    words >> id >> name;
    std::getline(words >> std::ws, texts);
    std::istringstream each(texts);
    for (std::string text; std::getline(each, text, '|');) {
      if (text.ends_with(":W")) text.replace(text.size() - 1, 1, "8");
      EXPECT_NO_THROW(parameter::Settings(find(id).parameters).set(name, std::string_view(text)));
      ++read;
    }
    if (texts.empty()) {
      EXPECT_NO_THROW(parameter::Settings(find(id).parameters).value(name));
    }
  }
  EXPECT_GT(read, 300);
}

}  // namespace
}  // namespace orrery::study::declared_test
