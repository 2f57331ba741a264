// The cells of a grid, and the table that they become.
#include "app/experiment/collect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "app/experiment/train.h"
#include "core/tensor/error.h"
#include "tests/app/experiment/tiny_training.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::experiment {
namespace {

using namespace tiny_training;  // NOLINT(google-build-using-namespace)
using support::contents;

TEST(Collect, MeansAndSpreadOverSeeds) {
  const support::TemporaryFolder folder;
  const SweepFolder sweep(folder.path());
  const Grid grid = grid_from_toml(tiny + "[grid]\nseeds = [1, 2, 3]\n", "g.toml");
  sweep.begin(grid);
  EXPECT_EQ(collect(sweep, grid).missing.size(), 3u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(run_cell(sweep, grid.cells[i], {}), CellEnd::done);
  EXPECT_EQ(run_cell(sweep, grid.cells[0], {}), CellEnd::done_before);
  const Table table = collect(sweep, grid);
  ASSERT_EQ(table.rows.size(), 4u);
  ASSERT_EQ(table.means.size(), 2u);
  EXPECT_EQ(table.missing.size(), 1u);
  const double a = *table.rows[1].loss, b = *table.rows[3].loss;  // at 24 tokens
  EXPECT_EQ(table.means[1].length, 24);
  EXPECT_EQ(table.means[1].seeds, 2u);
  EXPECT_NEAR(*table.means[1].loss, (a + b) / 2, 1e-15);
  EXPECT_NEAR(*table.means[1].loss_spread, std::abs(a - b) / std::sqrt(2), 1e-15);
  EXPECT_EQ(std::ranges::count(csv_of(table), '\n'), 5);
}

TEST(Collect, AMeanHasTheDecimalsOfItsSpread) {
  const auto said = [](double mean, double spread) {
    Table table{.grid = {}, .rows = {}, .means = {}, .missing = {}};
    table.means.push_back({.variant = "a", .seeds = 2, .loss = mean, .loss_spread = spread});
    return markdown_of(table);
  };
  EXPECT_NE(said(0.14041, 0.0134).find("| 0.140 ± 0.013 |"), std::string::npos) << said(0.14041, 0.0134);
  EXPECT_NE(said(3.43284, 0.2).find("| 3.43 ± 0.20 |"), std::string::npos);
  EXPECT_NE(said(3.43284, 0).find("| 3.433 ± 0 |"), std::string::npos);
  EXPECT_NE(said(1.5, 3e-9).find("| 1.5 ± 3e-09 |"), std::string::npos);
}

// Results of two texts are no seeds of one: asked again, or collected, the cell that has the older one is named.
TEST(Collect, AnotherTextIsNoticed) {
  const support::TemporaryFolder folder;
  const std::string path = (folder.path() / "text").string();
  std::ofstream(path) << std::string(2000, 'a');
  const std::string text = "orrery = 1\n[task]\nkind = \"text\"\nlength = 8\nsequences = 1\nfile = \"" +
                           path + "\"\n[model]\nwidth = 8\nheads = 2\nhidden = 8\n[training]\nsteps = 2\n";
  const SweepFolder sweep(folder.path() / "sweep");
  const Grid grid = grid_from_toml(text, "g");
  sweep.begin(grid);
  EXPECT_EQ(run_cell(sweep, grid.cells[0], {}), CellEnd::done);
  EXPECT_EQ(run_cell(sweep, grid.cells[0], {}), CellEnd::done_before);
  std::ofstream(path) << std::string(2000, 'b');
  for (const std::string& said :
       {refusal_of([&] { run_cell(sweep, grid.cells[0], {}); }), refusal_of([&] { collect(sweep, grid); })})
    EXPECT_NE(said.find("not what it was"), said.npos) << said;
}

// Whoever begins later reads the grid that was given then, whatever was given since.
TEST(Sweep, EveryGridIsKept) {
  const support::TemporaryFolder folder;
  const SweepFolder sweep(folder.path());
  const Grid first = grid_from_toml(tiny, "g"), second = grid_from_toml(tiny + "[grid]\nseeds = [2]\n", "g");
  sweep.begin(first);
  sweep.begin(second);
  EXPECT_EQ(read_grid(sweep.kept(first)).cells[0].name, first.cells[0].name);
  EXPECT_EQ(read_grid(sweep.kept(second)).cells[0].name, second.cells[0].name);
  EXPECT_EQ(contents(sweep.grid()), second.text);
}

TEST(Sweep, AGridOfSomebodysOwnIsNotWrittenOver) {
  const support::TemporaryFolder folder;
  const SweepFolder sweep(folder.path());
  const Grid grid = grid_from_toml(tiny, "g");
  std::ofstream(sweep.grid()) << "my notes";
  const std::string said = refusal_of([&] { sweep.begin(grid); });
  EXPECT_NE(said.find("grid.toml: is another grid"), said.npos) << said;
  EXPECT_EQ(contents(sweep.grid()), "my notes");
  std::ofstream(sweep.grid()) << grid.text;
  EXPECT_NO_THROW(sweep.begin(grid)) << "itself";
  EXPECT_NO_THROW(sweep.begin(grid_from_toml(tiny + "[grid]\nseeds = [2]\n", "g"))) << "kept before";
}

TEST(Collect, ADamagedResultIsNamed) {
  const support::TemporaryFolder folder;
  const SweepFolder sweep(folder.path());
  const Grid grid = grid_from_toml(tiny, "g.toml");
  make_folder(sweep.cell(grid.cells[0]).path());
  const auto of_length = [](const std::string& length) {
    return "{\"left_out\": 0, \"lengths\": [{\"length\": " + length +
           ", \"sequences\": 3, \"loss\": 1, \"accuracy\": 0, \"floor\": null}]}";
  };
  for (const std::string& wrong : {std::string("{\"lengths\": [{\"length\": \"no\"}]}"), std::string("{"),
                                   std::string(100, '['), of_length("1e300"), of_length("-5"), of_length("0"),
                                   of_length("2.5"), of_length("18446744073709551615")}) {
    support::put(sweep.result(grid.cells[0]), wrong);
    const std::string said = refusal_of([&] { collect(sweep, grid); });
    EXPECT_NE(said.find(grid.cells[0].name + "/result.json: is damaged; delete it"), said.npos)
        << said << " of " << wrong;
  }
  support::put(sweep.result(grid.cells[0]), of_length("24"));
  EXPECT_EQ(collect(sweep, grid).rows.at(0).length, 24);
  support::put(sweep.result(grid.cells[0]), std::string(100, '['));
  const std::string said = refusal_of([&] { sweep.left_out(grid.cells[0]); });
  EXPECT_NE(said.find("result.json: is damaged"), said.npos) << said;
}

// Where one cannot be written, all of them stay as they were.
TEST(Collect, TheTablesAreNewTogether) {
  const support::TemporaryFolder folder;
  const SweepFolder sweep(folder.path());
  const Grid grid = grid_from_toml(tiny, "g.toml");
  EXPECT_EQ(run_cell(sweep, grid.cells[0], {}), CellEnd::done);
  support::put(folder / "table.csv", "old");
  std::filesystem::create_directory(folder / "table.md");
  const std::string said = refusal_of([&] {
    file::NewFiles files;
    write_tables(sweep, collect(sweep, grid), files);
    files.commit();
  });
  EXPECT_NE(said.find("table.md"), said.npos) << said;
  EXPECT_EQ(contents(folder / "table.csv"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder / "table.json"));
}

}  // namespace
}  // namespace orrery::experiment
