// Every figure as other people's programs show it, beside our own picture of it: every study, three themes, both languages.
// A few of them at every run, others each day; all of them by `./dev eyes`.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include "app/figure/theme.h"
#include "app/recipe/recipe.h"
#include "app/render/make.h"
#include "tests/eyes/judges.h"
#include "tests/eyes/picture.h"
#include "tests/support/temporary_folder.h"

namespace orrery::eyes::eyes_test {
namespace {

namespace fs = std::filesystem;

/// Of 255. The farthest of all 168 figures are 20 (librsvg), 25 (Inkscape) and 29 (poppler): thin waves above one another, which
/// each program smooths in its own way. norm/compare with the ends of its titles cut off, as they once were, is 43.
constexpr double bound = 36;

struct Case {
  const study::Study* study;
  std::string theme;
  language::Language language;

  std::string name() const {
    return std::string(study->id) + ", " + theme + (language == language::Language::zh ? ", zh" : "");
  }
};

std::vector<Case> every_case() {
  std::vector<Case> all;
  for (const study::Study* study : study::studies())
    for (const std::string_view theme : figure::theme_names())
      for (const language::Language language : {language::Language::en, language::Language::zh})
        all.push_back({study, std::string(theme), language});
  return all;
}

/// Those whose turn it is: other ones each day, and in two months every one. With ORRERY_EYES=all every one, with another word
/// those that have it in their name ("rope/", "dark", "zh").
std::vector<Case> todays_cases() {
  const std::vector<Case> all = every_case();
  const char* wish = std::getenv("ORRERY_EYES");
  if (wish && std::string_view(wish) == "all") return all;
  if (wish) {
    std::vector<Case> wished;
    std::ranges::copy_if(all, std::back_inserter(wished),
                         [&](const Case& c) { return c.name().find(wish) != std::string::npos; });
    return wished;
  }
  constexpr std::size_t turns = 60;
  const auto today =
      std::chrono::duration_cast<std::chrono::days>(std::chrono::system_clock::now().time_since_epoch());
  std::vector<Case> some;
  for (std::size_t i = static_cast<std::size_t>(today.count()) % turns; i < all.size(); i += turns)
    some.push_back(all[i]);
  return some;
}

recipe::Recipe recipe_of(const Case& c) {
  recipe::Recipe recipe;
  recipe.study = c.study;
  recipe.settings = parameter::Settings(c.study->parameters);
  recipe.theme = c.theme;
  recipe.language = c.language;
  recipe.title = true;
  recipe.dpi = 150;
  return recipe;
}

TEST(ForeignEyes, SeeWhatWeSee) {
  std::vector<Judge> here;
  for (const Judge& judge : judges()) {
    if (is_here(judge))
      here.push_back(judge);
    else
      std::cout << "  " << judge.name << " is not asked: " << judge.program << " (package " << judge.package
                << ") is not on this machine\n";
  }
  if (here.empty()) GTEST_SKIP() << "no foreign viewer is on this machine";

  std::map<std::string_view, std::pair<double, std::string>> worst;
  for (const Case& c : todays_cases()) {
    SCOPED_TRACE(c.name());
    const support::TemporaryFolder folder;
    const recipe::Recipe recipe = recipe_of(c);
    render::make(recipe, folder / "ours.png");
    const Picture ours = read_png(folder / "ours.png");
    std::cout << "  " << c.name() << ":";
    for (const Judge& judge : here) {
      const fs::path file = folder / ("figure" + std::string(judge.ending));
      if (!fs::exists(file)) render::make(recipe, file);
      const fs::path shown = folder / (std::string(judge.name) + ".png");
      ASSERT_NO_THROW(show(judge, file, shown)) << judge.name;
      const Apart apart = farthest(ours, read_png(shown));
      EXPECT_TRUE(apart.same_size) << judge.name << " shows another size";
      EXPECT_LE(apart.most, bound) << judge.name << ", the block at " << apart.x << ", " << apart.y;
      std::cout << " " << judge.name << " " << apart.most;
      if (auto& [most, name] = worst[judge.name]; apart.most > most) {
        most = apart.most;
        name = c.name();
      }
    }
    std::cout << std::endl;
  }
  for (const auto& [judge, found] : worst)
    std::cout << "  farthest from " << judge << ": " << found.first << " of 255, " << found.second << "\n";
}

TEST(ForeignEyes, MissABlockThatIsNotThere) {
  Picture with{40, 40, {}}, without{40, 40, {}};
  with.pixels.assign(1600, {255, 255, 255});
  without.pixels = with.pixels;
  // A word: a fifth of a block is ink.
  for (int y = 25; y < 30; ++y)
    for (int x = 20; x < 36; ++x) with.pixels[static_cast<std::size_t>(40 * y + x)] = {0, 0, 0};
  const Apart apart = farthest(with, without);
  EXPECT_DOUBLE_EQ(apart.most, 255.0 * 80 / 400);
  EXPECT_EQ(apart.x, 20);
  EXPECT_EQ(apart.y, 20);
  EXPECT_GT(apart.most, bound);
}

}  // namespace
}  // namespace orrery::eyes::eyes_test
