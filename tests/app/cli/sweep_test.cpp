// sweep as people and schedulers use it: many trainings in processes of their own, killed, shared out and collected.
#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdlib>
#include <random>

#include "tests/app/cli/training_program.h"

namespace orrery::cli_test::sweep_test {
namespace {

using namespace std::chrono_literals;
using orrery::cli_test::contents;

std::string grid(int steps) {
  return tiny + "[training]\nsteps = " + std::to_string(steps) +
         "\n[grid]\nlengths = [4, 8]\nseeds = [1, 2, 3, 4]\n[[variant]]\nname = \"learned\"\n[[variant]]\nname = \"rope\"\n"
         "[variant.model]\npositions = \"rope\"\n[[variant]]\nname = \"alibi\"\n[variant.model]\npositions = \"alibi\"\n";
}

TEST_F(Training, ASweepThatIsKilledIsTheOneThatIsNot) {
  const std::string file = write("g.toml", grid(300));
  const Result alone = run({"sweep", file, "-o", path("alone"), "--json"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  EXPECT_EQ(alone.json()["trained"], 24);
  std::mt19937 random(11);
  int killed = 0;
  for (int i = 0; i < 40; ++i) {
    const auto time = std::chrono::microseconds(std::uniform_int_distribution<int>(50'000, 400'000)(random));
    std::vector<std::string> words{"sweep", file, "-o", path("killed"), "--checkpoint-every", "0.02"};
    if (i % 2 == 1) words.insert(words.end(), {"--jobs", "2"});
    if (run_for(words, time, SIGKILL) != 128 + SIGKILL) break;
    ++killed;
  }
  EXPECT_GT(killed, 2);
  // Children of one that was killed may still be at their cells: they end by themselves.
  Result end;
  for (int i = 0; i < 100; ++i) {
    end = run({"sweep", file, "-o", path("killed"), "--json"});
    ASSERT_EQ(end.code, 0) << end.err;
    if (end.json()["all_done"] == 24) break;
    std::this_thread::sleep_for(100ms);
  }
  EXPECT_EQ(end.json()["all_done"], 24);
  for (const char* folder : {"alone", "killed"})
    ASSERT_EQ(run({"sweep", file, "-o", path(folder), "--collect"}).code, 0) << folder;
  for (const char* name : {"/table.csv", "/table.json", "/table.md"})
    EXPECT_TRUE(contents(path(std::string("alone") + name)) == contents(path(std::string("killed") + name)))
        << name;
  for (const auto& cell : std::filesystem::directory_iterator(path("alone/cells")))
    for (const char* name : {"checkpoint.safetensors", "losses.csv", "result.json"})
      EXPECT_TRUE(contents(cell.path() / name) ==
                  contents(path("killed/cells/" + cell.path().filename().string() + "/" + name)))
          << cell.path() << name;
  const auto json = run({"sweep", file, "-o", path("alone"), "--collect", "--json"}).json();
  EXPECT_TRUE(json["complete"]);
  EXPECT_EQ(json["rows"].size(), 48u);
  EXPECT_EQ(json["means"].size(), 12u);
  EXPECT_NE(run({"inspect", path("alone/figure.pdf")}).out.find("training/sweep"), std::string::npos);
}

/// Whether nobody holds the lock of a file.
bool is_free(const std::string& lock) {
  const int fd = ::open(lock.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT;
  const bool free = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  ::close(fd);
  return free;
}

// Who kills the sweep means its trainings: they save and end, as if each had been asked.
TEST_F(Training, ASweepThatIsKilledTakesItsProcessesAlong) {
  const std::string file = write("g.toml", grid(100'000));
  const pid_t sweep = ::fork();
  if (sweep == 0) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
    ::execl(ORRERY_PROGRAM, ORRERY_PROGRAM, "sweep", file.c_str(), "-o", path("sweep").c_str(), "--jobs", "2",
            nullptr);
    ::_exit(127);
  }
  std::vector<std::string> locks;
  for (int i = 0; i < 600 && locks.size() < 2; ++i) {  // until both train
    std::this_thread::sleep_for(100ms);
    locks.clear();
    std::error_code none_yet;
    for (const auto& cell : std::filesystem::directory_iterator(path("sweep/cells"), none_yet))
      if (const std::string lock = (cell.path() / "lock").string(); !is_free(lock)) locks.push_back(lock);
  }
  ::kill(sweep, SIGKILL);
  ::waitpid(sweep, nullptr, 0);
  ASSERT_EQ(locks.size(), 2u);
  for (int i = 0; i < 600 && !std::ranges::all_of(locks, is_free); ++i) std::this_thread::sleep_for(100ms);
  for (const std::string& lock : locks) EXPECT_TRUE(is_free(lock)) << lock;
}

// The tables and the figure are of the same cells, or none of them is new.
TEST_F(Training, WhatIsCollectedIsNewTogether) {
  const std::string file = write("g.toml", tiny + "[training]\nsteps = 3\n");
  ASSERT_EQ(run({"sweep", file, "-o", path("sweep")}).code, 0);
  write("sweep/table.csv", "old");
  std::filesystem::create_directory(path("sweep/figure.pdf"));
  expect_error(1, {"sweep", file, "-o", path("sweep"), "--collect"}, {"figure.pdf"});
  EXPECT_EQ(contents(path("sweep/table.csv")), "old");
  EXPECT_FALSE(std::filesystem::exists(path("sweep/table.md")));
  std::filesystem::remove(path("sweep/figure.pdf"));
  ASSERT_EQ(run({"sweep", file, "-o", path("sweep"), "--collect"}).code, 0);
  const Result inside = run({"inspect", path("sweep/figure.pdf")});
  EXPECT_NE(inside.out.find(path("sweep/table.csv")), inside.out.npos) << inside.out;
}

// What is no number is no job that squeue could show.
TEST_F(Training, AClusterThatNamesNoJobHasNone) {
  const std::string file = write("g.toml", tiny + "[training]\nsteps = 3\n");
  std::filesystem::create_directory(path("bin"));
  const auto submitted = [&](const std::string& answer) {
    std::filesystem::permissions(write("bin/sbatch", "#!/bin/sh\necho '" + answer + "'\n"),
                                 std::filesystem::perms::owner_all);
    return std::system(("PATH='" + path("bin") + "':\"$PATH\" '" + ORRERY_PROGRAM + "' sweep '" + file +
                        "' -o '" + path("sweep") + "' --submit slurm >'" + path("out") + "' 2>'" +
                        path("err") + "'")
                           .c_str());
  };
  for (const char* answer : {"", ";;;garbage", "queue is full"}) {
    const int status = submitted(answer);
    EXPECT_EQ(WEXITSTATUS(status), 1) << answer;
    EXPECT_EQ(contents(path("out")), "") << answer;
    const std::string said = contents(path("err"));
    EXPECT_NE(said.find(std::string("--submit: sbatch said '") + answer), said.npos) << said;
    EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
  }
  for (const char* answer : {"123", "123;cluster"}) {
    EXPECT_EQ(submitted(answer), 0) << contents(path("err"));
    EXPECT_TRUE(contents(path("out")).starts_with("job 123 of 1 cells")) << contents(path("out"));
  }
}

TEST_F(Training, NothingLeftToSubmitIsJsonToo) {
  const std::string file = write("g.toml", tiny + "[training]\nsteps = 3\n");
  ASSERT_EQ(run({"sweep", file, "-o", path("sweep")}).code, 0);
  const Result nothing = run({"sweep", file, "-o", path("sweep"), "--submit", "slurm", "--json"});
  EXPECT_EQ(nothing.code, 0) << nothing.err;
  EXPECT_TRUE(nothing.json()["job"].is_null()) << nothing.out;
  EXPECT_EQ(nothing.json()["cells"], 1);
}

TEST_F(Training, AProcessThatFailsIsNotNamedTwice) {
  const std::string file = write("g.toml", tiny + "[training]\nsteps = 3\n[grid]\nseeds = [1, 2]\n");
  ASSERT_EQ(run({"sweep", file, "-o", path("sweep")}).code, 0);
  for (const auto& cell : std::filesystem::directory_iterator(path("sweep/cells"))) {
    std::filesystem::remove(cell.path() / "result.json");
    std::filesystem::resize_file(cell.path() / "checkpoint.safetensors", 100);
  }
  const Result failed = run({"sweep", file, "-o", path("sweep"), "--jobs", "2"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_EQ(failed.err.find(": orrery: "), failed.err.npos) << failed.err;
}

// Two grids in one folder: the processes of the first read theirs, whatever was given since.
TEST_F(Training, TwoGridsShareAFolder) {
  const std::string first = write("first.toml", grid(200)), second = write("second.toml", grid(150));
  int code = -1;
  std::thread other([&] {
    code = std::system((std::string(ORRERY_PROGRAM) + " sweep " + first + " -o " + path("both") +
                        " --jobs 2 >" + path("said") + " 2>&1")
                           .c_str());
  });
  std::this_thread::sleep_for(100ms);
  const Result mine = run({"sweep", second, "-o", path("both"), "--json"});
  other.join();
  EXPECT_EQ(code, 0) << contents(path("said"));
  EXPECT_EQ(mine.code, 0) << mine.err;
}

// What is no number is said, and counts as nothing met.
TEST_F(Training, ASweepTellsOfStepsThatWereNone) {
  const std::string file =
      write("g.toml",
            "orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\n[model]\nwidth = 1\nheads = 1\nnorm_eps = 0\n"
            "positions = \"none\"\n[evaluation]\nsequences = 2\n[training]\nsteps = 3\n");
  for (const char* jobs : {"1", "2"}) {
    const Result end = run({"sweep", file, "-o", path(std::string("s") + jobs), "--jobs", jobs});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_NE(end.err.find("3 steps were left out"), end.err.npos) << end.err;
  }
  const Result table = run({"sweep", file, "-o", path("s1"), "--collect", "--json"});
  EXPECT_NE(table.err.find("3 steps were left out"), table.err.npos) << table.err;
  EXPECT_TRUE(table.json()["means"][0]["loss"].is_null());
  EXPECT_EQ(table.json()["means"][0]["accuracy"], 0);
}

TEST_F(Training, PartsAreTheWhole) {
  const std::string file = write("g.toml", grid(3));
  for (const char* part : {"2/3", "1/3", "3/3"}) {
    const auto json = run({"sweep", file, "-o", path("parts"), "--task", part, "--json"}).json();
    EXPECT_EQ(json["trained"], 8) << part;
  }
  const auto again = run({"sweep", file, "-o", path("parts"), "--json"}).json();
  EXPECT_EQ(again["done_before"], 24);
  EXPECT_EQ(again["trained"], 0);
}

TEST_F(Training, SweepsRefuse) {
  const std::string file = write("g.toml", grid(3));
  expect_error(2, {"sweep"}, {"GRID"});
  expect_error(2, {"sweep", file}, {"-o"});
  expect_error(2, {"sweep", file, "-o", path("a"), "--task", "4/3"}, {"--task", "'4/3'"});
  expect_error(2, {"sweep", file, "-o", path("a"), "--task", "1/3", "--collect"}, {"--collect", "--task"});
  expect_error(2, {"sweep", file, "-o", path("a"), "--submit", "pbs"}, {"--submit", "'pbs'", "slurm"});
  expect_error(2, {"sweep", file, "-o", path("a"), "--slurm-option=--time=1"},
               {"--slurm-option", "--submit"});
  expect_error(2, {"sweep", file, "-o", path("a"), "--jobs", "0"}, {"--jobs"});
  expect_error(2, {"sweep", file, "-o", path("a"), "--list", "--jobs", "2"}, {"--jobs", "--list"});
  expect_error(2, {"sweep", file, "-o", path("a"), "--collect", "--checkpoint-every", "2"},
               {"--checkpoint-every", "--collect"});
  expect_error(2, {"sweep", file, "-o", path("a"), "--cell", "abc"}, {"--cell", "'abc'"});
  expect_error(1, {"sweep", file, "-o", path("a"), "--collect"}, {"no cell is done"});
  EXPECT_EQ(run({"sweep", file, "-o", path("a"), "--list", "--json"}).json().size(), 24u);
  expect_error(2, {"sweep", file, "-o", path("a"), "--submit", "slurm", "--slurm-option=time"},
               {"--slurm-option", "'time'"});
  EXPECT_FALSE(std::filesystem::exists(path("a"))) << "nothing that was asked was begun";
}

}  // namespace
}  // namespace orrery::cli_test::sweep_test
