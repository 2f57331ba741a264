// Many recipes at once, where nobody looked at their names before.
#include "app/render/jobs.h"

#include <gtest/gtest.h>

#include "app/render/written_twice.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::render::jobs_test {
namespace {

Job job(std::string_view id, const std::filesystem::path& target) {
  Job made{target.stem().string(), target, {}};
  made.recipe.study = &study::find(id);
  made.recipe.settings = parameter::Settings(made.recipe.study->parameters);
  return made;
}

// What two of them would write belongs to the earlier one, however many run at a time.
TEST(Jobs, NoTableIsWrittenOverAnother) {
  for (const int threads : {1, 4}) {
    const support::TemporaryFolder folder;
    const std::vector<Job> jobs{job("norm/compare", folder / "x.csv"),
                                job("extrapolation/decay", folder / "x.components.csv")};
    const std::vector<Done> done = run_jobs(jobs, threads, [](std::size_t, const Done&) {});
    EXPECT_TRUE(done[0].error.empty());
    EXPECT_NE(english(done[1].error).find("two figures would be written to"), std::string::npos);
    EXPECT_NE(support::contents(folder / "x.components.csv").find("LayerNorm"), std::string::npos)
        << "the first keeps its table";
  }
}

TEST(WrittenTwice, IsTheFileThatIs) {
  const std::filesystem::path folder = "/nowhere";
  const Job tables = job("norm/compare", folder / "x.csv"),
            one = job("extrapolation/decay", folder / "y.csv");
  EXPECT_EQ(written_twice({tables, one}), std::nullopt);
  EXPECT_EQ(written_twice({one, tables, one}), folder / "y.csv");
  const Job meets = job("extrapolation/decay", folder / "x.components.csv"),
            several = job("norm/compare", folder / "x.components.csv"),
            page = job("extrapolation/decay", folder / "x.components.pdf");
  EXPECT_EQ(written_twice({meets, one, tables}), folder / "x.components.csv");
  EXPECT_EQ(written_twice({several, tables}), std::nullopt);
  EXPECT_EQ(written_twice({page, tables}), std::nullopt);
}

// What cannot be computed says why when it is made: its turn has not come.
TEST(WrittenTwice, LeavesWhatFailsToWhoMakesIt) {
  Job fails = job("norm/compare", "x.csv");
  fails.recipe.settings.set("states", std::string_view("/nowhere/states.npy"));
  EXPECT_EQ(written_twice({fails, job("extrapolation/decay", "x.components.csv")}), std::nullopt);
}

}  // namespace
}  // namespace orrery::render::jobs_test
