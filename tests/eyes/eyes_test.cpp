// Every figure as other people's programs show it, beside our own picture of it: every study, three themes, both languages.
// A few of them at every run, others each day; all of them by `./dev eyes`.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <string>

#include "app/render/make.h"
#include "tests/eyes/cases.h"
#include "tests/eyes/judges.h"
#include "tests/eyes/picture.h"
#include "tests/support/temporary_folder.h"

namespace orrery::eyes::eyes_test {
namespace {

namespace fs = std::filesystem;

/// Of 255. The farthest of all 168 figures are 20 (librsvg), 25 (Inkscape) and 29 (poppler): thin waves above one another,
/// which each program smooths in its own way. norm/compare with the ends of its titles cut off, as they once were, is 43.
constexpr double bound = 36;

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
    const recipe::Recipe recipe = c.recipe();
    render::make(recipe, folder / "ours.png");
    const Picture ours = read_png(folder / "ours.png");
    std::cout << "  " << c.name() << ":";
    for (const Judge& judge : here) {
      const fs::path file = folder / ((judge.svg_text ? "text" : "figure") + std::string(judge.ending));
      if (!fs::exists(file)) {
        recipe::Recipe page = recipe;
        page.svg_text = judge.svg_text;
        render::make(page, file);
      }
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
