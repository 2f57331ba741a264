// GRID.toml: the cells of a grid, what is refused, and the parts that schedulers get.
#include "app/experiment/grid.h"

#include <gtest/gtest.h>

#include <set>

#include "app/experiment/slurm.h"
#include "core/tensor/error.h"
#include "tests/support/temporary_folder.h"

namespace orrery::experiment {
namespace {

const std::string head = "orrery = 1\n[task]\nkind = \"markov\"\n[model]\nwidth = 16\nheads = 2\n";
const std::string two =
    "[[variant]]\nname = \"rope\"\n[variant.model]\npositions = \"rope\"\n[[variant]]\nname = "
    "\"alibi\"\n[variant.model]\npositions = \"alibi\"\n";

Grid grid() {
  return grid_from_toml(head + "[grid]\nlengths = [8, 16]\nseeds = [1, 2, 5]\n" + two, "g.toml");
}

TEST(Grid, VariantsTimesLengthsTimesSeeds) {
  const Grid g = grid();
  ASSERT_EQ(g.cells.size(), 12u);
  EXPECT_EQ(g.variants, (std::vector<std::string>{"rope", "alibi"}));
  std::set<std::string> names;
  for (std::size_t i = 0; i < 12; ++i) {
    const Cell& cell = g.cells[i];
    const Settings settings = cell.settings();
    EXPECT_EQ(cell.variant, i < 6 ? "rope" : "alibi");
    EXPECT_EQ(settings.of("model").choice("positions"), cell.variant);
    EXPECT_EQ(cell.trained, i / 3 % 2 == 0 ? 8 : 16);
    EXPECT_EQ(settings.of("task").integer("length"), cell.trained);
    EXPECT_EQ(cell.seed, std::vector<std::int64_t>({1, 2, 5})[i % 3]);
    EXPECT_EQ(settings.of("training").integer("seed"), cell.seed);
    EXPECT_EQ(settings.of("model").integer("width"), 16);
    EXPECT_EQ(cell.name, settings.hash());
    names.insert(cell.name);
  }
  EXPECT_EQ(names.size(), 12u);
}

TEST(Grid, LeftOutIsAsTheTaskHasIt) {
  const Grid g = grid_from_toml("orrery = 1\n[training]\nseed = 7\n", "g.toml");
  ASSERT_EQ(g.cells.size(), 1u);
  EXPECT_EQ(g.cells[0].trained, 30);
  EXPECT_EQ(g.cells[0].seed, 7);
  EXPECT_EQ(g.lengths, std::vector<Index>{30});
  const Grid words = grid_from_toml("orrery = 1\n[grid]\nlengths = [10]\n", "g.toml");
  EXPECT_EQ(words.cells[0].settings().of("task").integer("longest"), 10) << "of copied words the longest";
}

TEST(Grid, AVariantHasASeedOfItsOwn) {
  const Grid g =
      grid_from_toml(head +
                         "[training]\nseed = 7\n[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n"
                         "[variant.training]\nseed = 5\n",
                     "g.toml");
  ASSERT_EQ(g.cells.size(), 2u);
  EXPECT_EQ(g.cells[0].seed, 7);
  EXPECT_EQ(g.cells[1].seed, 5);
  EXPECT_EQ(g.cells[1].settings().of("training").integer("seed"), 5);
  EXPECT_EQ(g.seeds, (std::vector<std::int64_t>{7, 5}));
}

// training/sweep takes no longer table: said before anything is trained.
TEST(Grid, ItsTableCanBeCollected) {
  std::string seeds = "0";
  for (int seed = 1; seed <= 50'000; ++seed) seeds += "," + std::to_string(seed);
  const std::string asked = head + "[grid]\nseeds = [" + seeds + "]\n[evaluation]\nlengths = ";
  EXPECT_EQ(grid_from_toml(asked + "[8]\n", "g.toml").cells.size(), 50'001u);
  EXPECT_THROW(grid_from_toml(asked + "[8, 16]\n", "g.toml"), Failure);
}

TEST(Grid, AGridThatGrowsKeepsItsCells) {
  std::set<std::string> names;
  for (const Cell& cell :
       grid_from_toml(head + "[grid]\nlengths = [8, 16, 32]\nseeds = [5, 1, 2, 3]\n" + two, "g.toml").cells)
    names.insert(cell.name);
  for (const Cell& cell : grid().cells) EXPECT_TRUE(names.contains(cell.name));
}

TEST(Grid, WrongOnesAreOneLineWithItsPlace) {
  const std::string at_end = head + "[grid]\n";
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"[grid]\n", {"orrery"}},
           {head + "[gird]\n", {"g.toml:7", "'gird'", "did you mean 'grid'"}},
           {at_end + "length = [1]\n", {"g.toml:8:1", "did you mean 'lengths'"}},
           {at_end + "lengths = 8\n", {"g.toml:8:11", "lengths", "a list"}},
           {at_end + "lengths = []\n", {"lengths"}},
           {at_end + "lengths = [8, 8]\n", {"lengths", "each once"}},
           {at_end + "lengths = [0]\n", {"lengths", "from 1 to 65536"}},
           {at_end + "seeds = [-1]\n", {"seeds", "from 0 to"}},
           {at_end + "seeds = [1.5]\n", {"seeds"}},
           {head + "variant = 3\n", {"variant"}},
           {head + "[[variant]]\n", {"g.toml:7", "name", "missing"}},
           {head + "[[variant]]\nname = \"a,b\"\n", {"g.toml:8", "name"}},
           {head + "[[variant]]\nname = \"\"\n", {"name"}},
           {head + two + "[[variant]]\nname = \"rope\"\n", {"name", "each name once"}},
           {head + two + "[[variant]]\nname = \"again\"\n[variant.model]\npositions = \"rope\"\n",
            {"again", "the same training as rope"}},
           {head + two +
                "[[variant]]\nname = \"again\"\n[variant.model]\npositions = \"rope\"\nfire_deep = false\n",
            {"again", "the same training as rope"}},
           {head + "[[variant]]\nname = \"a\"\nmodel = 1\n", {"model", "a table"}},
           {head + "[[variant]]\nname = \"a\"\n[variant.model]\nwidth = 9\n",
            {"variant a", "width", "multiple of 2"}},
           {head + "[[variant]]\nname = \"a\"\n[variant.model]\nwidth = 8192\n",
            {"variant a", "model: ", "up to 268435456"}},
           {head + "[[variant]]\nname = \"a\"\n[variant.task]\nkind = \"text\"\nfile = \"/nowhere/at/all\"\n",
            {"g.toml:7", "variant a: task: file: /nowhere/at/all"}},
           {head + "[[variant]]\nname = \"a\"\n[variant.modle]\n", {"did you mean 'model'"}},
           {head + "[[variant]]\nname = \"a\"\n[variant.model]\npositons = 1\n",
            {"did you mean 'positions'"}},
       }) {
    try {
      grid_from_toml(text, "g.toml");
      ADD_FAILURE() << text;
    } catch (const Failure& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with("g.toml")) << said;
      EXPECT_EQ(said.find('\n'), said.npos);
      for (const std::string& word : expected)
        EXPECT_NE(said.find(word), said.npos) << word << " in: " << said;
    }
  }
}

TEST(Part, EveryCellBelongsToExactlyOne) {
  for (const std::size_t cells : {0, 1, 7, 24, 100})
    for (const std::int64_t of : {1, 2, 3, 7, 24, 31}) {
      std::vector<int> seen(cells);
      std::size_t least = cells, most = 0;
      for (std::int64_t number = 1; number <= of; ++number) {
        std::size_t own = 0;
        for (std::size_t i = 0; i < cells; ++i)
          if (Part{number, of}.has(i)) ++seen[i], ++own;
        least = std::min(least, own);
        most = std::max(most, own);
      }
      for (const int times : seen) EXPECT_EQ(times, 1);
      EXPECT_LE(most - least, 1u) << "and all have as much to do";
    }
}

TEST(Part, AsItIsTyped) {
  const Part part = part_from_text("--task", "3/8");
  EXPECT_EQ(part.number, 3);
  EXPECT_EQ(part.of, 8);
  for (const char* wrong :
       {"", "3", "0/8", "9/8", "3/", "/8", "-1/8", "3/8/2", "a/b", "3 / 8", "1/0", "99999999999999999999/3"})
    EXPECT_THROW(part_from_text("--task", wrong), InvalidArgument) << wrong;
}

TEST(Slurm, TheScript) {
  const support::TemporaryFolder folder;
  const SweepFolder sweep(folder.path() / "it's");
  const Grid g = grid();
  EXPECT_EQ(slurm_parts(g), 12);
  EXPECT_EQ(slurm_array(sweep, g), "1-12");
  const std::string text =
      slurm_script(sweep, g, "/usr/bin/orrery", "/home/me",
                   {.at_once = 4, .checkpoint_every = "5", .options = {"--time=2:00:00", "-p short"}});
  EXPECT_TRUE(text.starts_with("#!/bin/sh\n"));
  for (const std::string& line :
       {std::string("#SBATCH --array=1-12%4\n"), std::string("#SBATCH --chdir=\"/home/me\"\n"),
        std::string("#SBATCH --requeue\n"), std::string("#SBATCH --signal=B:TERM@60\n"),
        std::string("#SBATCH --open-mode=append\n"), std::string("#SBATCH --time=2:00:00\n"),
        std::string("#SBATCH -p short\n"),
        "exec '/usr/bin/orrery' sweep '" + folder.string() + "/it'\\''s/grids/" +
            sweep.kept(g).filename().string() + "' -o '" + folder.string() +
            "/it'\\''s' --checkpoint-every '5' --task \"$SLURM_ARRAY_TASK_ID/12\"\n"})
    EXPECT_NE(text.find(line), text.npos) << line << text;
  const SweepFolder percent(folder.path() / "50%");
  const std::string script = slurm_script(percent, g, "o", "/home/50%", {});
  EXPECT_NE(script.find("--chdir=\"/home/50%\"\n"), script.npos) << "a folder's name is no pattern" << script;
  EXPECT_NE(script.find("/50%%\"/slurm-%A_%a.log"), script.npos) << script;
  EXPECT_THROW(slurm_script(sweep, g, "o", "/", {.options = {"time=2"}}), InvalidArgument);
  EXPECT_THROW(slurm_script(sweep, g, "o", "/", {.options = {"--a\nrm"}}), InvalidArgument);
}

TEST(Slurm, OnlyWhatIsLeft) {
  const support::TemporaryFolder folder;
  const SweepFolder sweep(folder.path());
  const Grid g = grid();
  for (const std::size_t i : {0, 4, 5, 11}) {
    make_folder(sweep.cell(g.cells[i]).path());
    std::filesystem::copy_file("/etc/hostname", sweep.result(g.cells[i]));
  }
  EXPECT_EQ(slurm_array(sweep, g), "2-4,7-11");
}

}  // namespace
}  // namespace orrery::experiment
