// A figure that cannot be made says why.
#include "app/cli/training_figure.h"

#include <gtest/gtest.h>

#include "core/tensor/error.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::cli_test::training_figure_test {
namespace {

const std::string csv =
    "variant,trained,seed,cell,length,sequences,loss,accuracy,floor\nrope,8,1,c,8,2,1.5,0.5,1.25\n"
    "rope,8,1,c,16,2,1.75,0.25,1.25\n";

TEST(TrainingFigure, IsAPage) {
  const support::TemporaryFolder folder;
  EXPECT_TRUE(cli::figure_of_sweep(folder.path(), csv).starts_with("%PDF"));
  EXPECT_EQ(folder.files(), 0u);
}

TEST(TrainingFigure, SaysWhyItCannotBeMade) {
  const support::TemporaryFolder folder;
  const auto refusal = [&](const std::filesystem::path& of) {
    return support::message_of<Failure>([&] { cli::figure_of_sweep(of, csv); });
  };
  EXPECT_EQ(refusal(folder / "none"),
            "cannot write " + (folder / "none/table.csv").string() + ": No such file or directory");
  std::string full;
  {
    const support::FullDisk disk(100);
    full = refusal(folder.path());
  }
  EXPECT_EQ(full, "cannot write " + (folder / "table.csv").string() + ": File too large");
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace orrery::cli_test::training_figure_test
