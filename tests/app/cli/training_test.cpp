// train, evaluate and sweep as people and schedulers use them: killed at any time, and taken up again to the same bits.
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cstdlib>
#include <random>
#include <regex>
#include <thread>

#include "tests/app/cli/program.h"

namespace orrery::cli_test::training_test {
namespace {

using namespace std::chrono_literals;
using orrery::cli_test::contents;

const std::string tiny =
    "orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\nsequences = 2\n[model]\nwidth = 8\nheads = 2\nhidden = 16\n"
    "[schedule]\nwarm_up = 5\n[evaluation]\nlengths = [8, 16]\nsequences = 2\n";

class Training : public Program {
 protected:
  Training() { set_environment("OMP_NUM_THREADS=1"); }

  /// Begins it, and lets it be killed. Its exit code, as a shell says it.
  int run_for(std::vector<std::string> arguments, std::chrono::microseconds time, int signal) const {
    arguments.insert(arguments.begin(), ORRERY_PROGRAM);
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    std::vector<char*> environment;
    for (char** e = environ; *e != nullptr; ++e) environment.push_back(*e);
    std::string threads = "OMP_NUM_THREADS=1";
    environment.push_back(threads.data());
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions, fd, path(fd == STDERR_FILENO ? "err" : "out").c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    if (posix_spawn(&child, ORRERY_PROGRAM, &actions, nullptr, argv.data(), environment.data()) != 0)
      return -1;
    posix_spawn_file_actions_destroy(&actions);
    std::this_thread::sleep_for(time);
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
};

TEST_F(Training, KilledAtAnyStepItGoesOnToTheSameBits) {
  const std::string settings = write("s.toml", tiny + "[training]\nsteps = 3000\n");
  const Result alone = run({"train", settings, "-o", path("alone"), "--json"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  EXPECT_EQ(alone.json()["step"], 3000);
  std::mt19937 random(5);
  int killed = 0;
  for (int i = 0; i < 60; ++i) {
    const auto time = std::chrono::microseconds(std::uniform_int_distribution<int>(5'000, 250'000)(random));
    const int code =
        run_for({"train", settings, "-o", path("killed"), "--checkpoint-every", "0.02"}, time, SIGKILL);
    if (code == 0) break;
    ASSERT_EQ(code, 128 + SIGKILL) << contents(path("err"));
    ++killed;
  }
  const Result end = run({"train", settings, "-o", path("killed"), "--json"});
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_GT(killed, 0);
  EXPECT_TRUE(contents(path("killed/checkpoint.safetensors")) ==
              contents(path("alone/checkpoint.safetensors")));
  EXPECT_TRUE(contents(path("killed/losses.csv")) == contents(path("alone/losses.csv")));
}

TEST_F(Training, AskedToStopItSavesAndSaysHowToGoOn) {
  const std::string settings = write("s.toml", tiny + "[training]\nsteps = 10000000\n");
  for (const int signal : {SIGTERM, SIGINT}) {
    EXPECT_EQ(run_for({"train", settings, "-o", path("run")}, 700ms, signal), 1);
    const std::string said = contents(path("err"));
    EXPECT_NE(said.find("the same command goes on"), said.npos) << said;
    EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
    EXPECT_TRUE(std::filesystem::exists(path("run/checkpoint.safetensors")));
  }
  EXPECT_GT(run({"evaluate", path("run"), "--json"}).json()["steps"], 0);
}

TEST_F(Training, EvaluateTellsByLengthAndByPosition) {
  const std::string settings = write("s.toml", tiny + "positions = \"rope\"\n[training]\nsteps = 20\n");
  const std::string rope =
      write("r.toml",
            "orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\nsequences = 2\n[model]\nwidth = "
            "8\nheads = 2\nhidden = 16\npositions = \"rope\"\n[training]\nsteps = 20\n");
  expect_error(1, {"train", settings, "-o", path("run")}, {"s.toml", "'positions'"});
  ASSERT_EQ(run({"train", rope, "-o", path("run")}).code, 0);
  const auto json = run({"evaluate", path("run"), "--lengths", "8,32", "--sequences", "3", "--json"}).json();
  expect_keys(json, {"task", "steps", "of_steps", "left_out", "parameters", "trained", "window", "rule",
                     "text", "lengths"});
  ASSERT_EQ(json["lengths"].size(), 2u);
  EXPECT_EQ(json["lengths"][1]["length"], 32);
  EXPECT_EQ(json["lengths"][1]["by_place"]["loss"].size(), 32u);
  EXPECT_EQ(json["lengths"][1]["by_place"]["floor"].size(), 32u);
  EXPECT_LT(json["lengths"][1]["floor"], json["lengths"][1]["loss"]);
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"evaluate", path("run"), "--lengths", "32", "--json"});
    return run(more).json()["lengths"][0];
  };
  const auto plain = with({}), yarn = with({"--rule", "yarn"}), window = with({"--window", "8"});
  EXPECT_NE(plain["loss"], yarn["loss"]);
  EXPECT_NE(plain["loss"], window["loss"]);
  for (std::size_t t = 0; t < 8; ++t)
    EXPECT_NEAR(double(plain["by_place"]["loss"][t]), double(window["by_place"]["loss"][t]), 1e-5)
        << "before the window slides nothing differs";
  const Result text = run({"evaluate", path("run"), "--lengths", "8,32", "--by-place"});
  EXPECT_NE(text.out.find("floor"), text.out.npos) << text.out;
  expect_error(2, {"evaluate", path("run"), "--rule", "yarm"}, {"--rule", "'yarm'", "did you mean 'yarn'"});
  expect_error(2, {"evaluate", path("run"), "--lengths", "0"}, {"--lengths", "from 1 to 65536"});
  expect_error(2, {"evaluate", path("run"), "--window", "-1"}, {"--window"});
  expect_error(2, {"evaluate", path("run"), "--factor", "4"},
               {"--factor", "'--rule linear|ntk|by_parts|yarn'"});
  expect_error(2, {"evaluate", path("run"), "--rule", "ntk", "--reading", "paper"},
               {"--reading", "'--rule yarn'"});
  expect_error(1, {"evaluate", path("nowhere")}, {"nowhere", "settings.toml"});
  expect_error(2, {"evaluate"}, {"DIR"});
}

TEST_F(Training, RulesAreOfRotaryPositions) {
  const std::string settings =
      write("s.toml",
            "orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\n[model]\nwidth = 8\nheads = 2\npositions = "
            "\"alibi\"\n[evaluation]\nrule = \"yarn\"\n[training]\nsteps = 2\n");
  ASSERT_EQ(run({"train", settings, "-o", path("run")}).code, 0);
  EXPECT_EQ(run({"evaluate", path("run"), "--json"}).json()["rule"], "default")
      << "what settings shared by variants say";
  expect_error(2, {"evaluate", path("run"), "--rule", "yarn"}, {"--rule", "'yarn'", "no rotary positions"});
}

TEST_F(Training, ASettingsFileThatIsAPipeIsNoFolder) {
  std::filesystem::create_directory(path("run"));
  ASSERT_EQ(::mkfifo(path("run/settings.toml").c_str(), 0600), 0);
  expect_error(1, {"evaluate", path("run")}, {"settings.toml"});
}

TEST_F(Training, LearnedRowsEndWhereTheyEnd) {
  const std::string settings = write("s.toml", tiny + "[training]\nsteps = 3\n");
  ASSERT_EQ(run({"train", settings, "-o", path("run")}).code, 0);
  expect_error(2, {"evaluate", path("run"), "--lengths", "17"}, {"length", "17", "up to 16"});
  expect_error(2, {"evaluate", path("run"), "--lengths", "40", "--window", "17"},
               {"length", "40", "up to 16"});
}

// A pass of a window stands at the positions that are there.
TEST_F(Training, AWindowSlidesPastTheLearnedRows) {
  const std::string settings = write("s.toml", tiny + "[training]\nsteps = 3\n");
  ASSERT_EQ(run({"train", settings, "-o", path("run")}).code, 0);
  const Result slid = run(
      {"evaluate", path("run"), "--lengths", "40", "--window", "16", "--logits", path("z.npy"), "--json"});
  ASSERT_EQ(slid.code, 0) << slid.err;
  EXPECT_EQ(slid.json()["lengths"][0]["by_place"]["loss"].size(), 40u);
  EXPECT_EQ(file::read_npy(path("z.npy")).shape.at(0), 40);
}

// The usual length of a sequence is 64: a window of no more stretches nothing.
TEST_F(Training, TheExampleOfAStretchedWindowStretches) {
  const std::string manual = run({"man"}).out;
  std::smatch found;
  ASSERT_TRUE(std::regex_search(manual, found, std::regex(R"(rule yarn \\-\\-window ([0-9]+))"))) << manual;
  EXPECT_GT(std::stoi(found[1]), 64);
}

TEST_F(Training, ATextByItsBytes) {
  const std::string text = write("text.txt", [] {
    std::string words;
    for (int i = 0; i < 600; ++i) words += "the cat sat on the mat. ";
    return words;
  }());
  const std::string settings = write(
      "s.toml",
      "orrery = 1\n[task]\nkind = \"text\"\nfile = \"" + text +
          "\"\nlength = 16\nsequences = 4\n[model]\nwidth = 16\nheads = 2\nhidden = 32\n[training]\nsteps = "
          "150\n[schedule]\nhighest = 1e-2\nwarm_up = 10\n");
  ASSERT_EQ(run({"train", settings, "-o", path("run")}).code, 0);
  const auto json = run({"evaluate", path("run"), "--json"}).json();
  EXPECT_EQ(json["text"]["bytes"], 14400);
  EXPECT_EQ(json["text"]["held_out"], 1440);
  EXPECT_TRUE(json["lengths"][0]["floor"].is_null());
  EXPECT_LT(json["lengths"][0]["loss"], json["text"]["without_context"]);
  const Result said = run({"evaluate", path("run")});
  EXPECT_NE(said.out.find("1440 bytes are held out"), said.out.npos) << said.out;
  expect_error(2, {"evaluate", path("run"), "--lengths", "1440"}, {"length", "1440", "1439", "held out"});
}

// A file that was there before is replaced by what came to its end, and by nothing else.
TEST_F(Training, EvaluateWritesLast) {
  const std::string settings =
      write("s.toml",
            "orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\n[model]\nwidth = 8\nheads = 2\npositions = "
            "\"alibi\"\n[training]\nsteps = 2\n");
  ASSERT_EQ(run({"train", settings, "-o", path("run")}).code, 0);
  const std::string logits = write("z.npy", "old");
  EXPECT_EQ(
      run_for({"evaluate", path("run"), "--lengths", "8,1024", "--sequences", "65536", "--logits", logits},
              1500ms, SIGKILL),
      128 + SIGKILL);
  EXPECT_EQ(contents(logits), "old");
  expect_error(2, {"evaluate", path("nowhere"), "--logits", path("z.txt")}, {"--logits", "z.txt", ".npy"});
  ASSERT_EQ(run({"evaluate", path("run"), "--logits", logits}).code, 0);
  EXPECT_EQ(file::read_npy(logits).shape.at(0), 8);
}

TEST_F(Training, ALossThatIsNoNumberIsADash) {
  const std::string settings =
      write("s.toml",
            "orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\n[model]\nwidth = 1\nheads = 1\nnorm_eps = 0\n"
            "positions = \"none\"\n[training]\nsteps = 3\n");
  const Result end = run({"train", settings, "-o", path("run")});
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("the last one's loss –, "), end.out.npos) << end.out;
  EXPECT_EQ(contents(path("run/losses.csv")).find("-nan"), std::string::npos);
}

// What is refused has made no folder, which would stand in the way of what is asked next.
TEST_F(Training, WhatIsRefusedLeavesNoFolder) {
  const std::string large = write("s.toml", "orrery = 1\n[model]\nwidth = 8192\n");
  expect_error(2, {"train", large, "-o", path("run")}, {"s.toml: model: ", "up to 268435456"});
  expect_error(1, {"sweep", large, "-o", path("run")}, {"s.toml", "model: ", "up to 268435456"});
  for (const auto& [file, words] : std::vector<std::pair<std::string, std::string>>{
           {"", "s.toml: task: file: found ''"}, {"no.txt", "s.toml: task: file: no.txt: cannot be opened"}})
    expect_error(file.empty() ? 2 : 1,
                 {"train", write("s.toml", "orrery = 1\n[task]\nkind = \"text\"\nfile = \"" + file + "\"\n"),
                  "-o", path("run")},
                 {words});
  EXPECT_FALSE(std::filesystem::exists(path("run")));
}

TEST_F(Training, SettingsInTheirOwnFolderStay) {
  const std::string mine = "# my remarks\n" + tiny + "[training]\nsteps = 2\n";
  std::filesystem::create_directory(path("own"));
  const std::string settings = write("own/settings.toml", mine);
  expect_error(1, {"train", settings, "-o", path("own")}, {"settings.toml", "another folder"});
  EXPECT_EQ(contents(settings), mine);
  ASSERT_EQ(run({"train", settings, "-o", path("run")}).code, 0);
  EXPECT_EQ(run({"train", path("run/settings.toml"), "-o", path("run")}).code, 0)
      << "those that a training wrote are its own";
}

// Threads that wait turn for microseconds, not for milliseconds: another program may need the core. Who says otherwise is heard.
TEST_F(Training, WaitingThreadsSleep) {
  const std::string settings = write("s.toml", tiny + "[training]\nsteps = 10000000\n");
  const auto begun_with = [&](const std::string& variables) {
    const std::string said = path("environment");
    const std::string script = "env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT " + variables + " '" +
                               ORRERY_PROGRAM + "' train '" + settings + "' -o '" + path("run") +
                               "' 2>/dev/null & p=$!; sleep 1; tr '\\0' '\\n' </proc/$p/environ >'" + said +
                               "'; kill $p; wait $p; true";
    EXPECT_EQ(std::system(script.c_str()), 0);
    return contents(said);
  };
  EXPECT_NE(begun_with("").find("GOMP_SPINCOUNT=1000\n"), std::string::npos);
  EXPECT_EQ(begun_with("OMP_WAIT_POLICY=active").find("GOMP_SPINCOUNT"), std::string::npos);
}

TEST_F(Training, SettingsArePrintedWithEveryKey) {
  const Result printed = run({"train", "--print-settings"});
  ASSERT_EQ(printed.code, 0);
  const std::string file = write("all.toml", printed.out);
  EXPECT_EQ(run({"train", file, "--print-settings"}).out, printed.out);
}

TEST_F(Training, WrongArgumentsAreOneLine) {
  const std::string good = write("s.toml", tiny + "[training]\nsteps = 2\n");
  expect_error(2, {"train"}, {"SETTINGS"});
  expect_error(2, {"train", good}, {"-o"});
  expect_error(1, {"train", path("none.toml"), "-o", path("a")}, {"none.toml"});
  expect_error(2, {"train", good, "-o", path("a"), "--checkpoint-every", "0"}, {"--checkpoint-every"});
  expect_error(1, {"train", good, "-o", good}, {"s.toml"});
  expect_error(1, {"train", write("b.toml", "orrery = 1\n[model]\nwidht = 3\n"), "-o", path("a")},
               {"b.toml:3:1", "did you mean 'width'"});
  ASSERT_EQ(run({"train", good, "-o", path("a")}).code, 0);
  expect_error(1, {"train", write("c.toml", tiny + "[training]\nsteps = 3\n"), "-o", path("a")},
               {path("a"), "training.steps"});
}

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
}  // namespace orrery::cli_test::training_test
