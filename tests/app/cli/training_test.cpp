// train and evaluate as people and schedulers use them: killed at any time, and taken up again to the same bits.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdlib>
#include <random>
#include <regex>
#include <thread>

#include "tests/app/cli/training_program.h"

namespace orrery::cli_test::training_test {
namespace {

using namespace std::chrono_literals;
using orrery::cli_test::contents;

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

// As `timeout` and clusters do it, and as a sweep's training hears it where the sweep is told and then killed.
TEST_F(Training, ToldToStopManyTimesItSaves) {
  const std::string settings =
      write("s.toml",
            "orrery = 1\n[task]\nkind = \"markov\"\nlength = 64\nsequences = 4\n[model]\nwidth = 128\n"
            "[training]\nsteps = 10000000\n");
  const pid_t training = ::fork();
  if (training == 0) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
    ::setenv("OMP_NUM_THREADS", "1", 1);
    ::execl(ORRERY_PROGRAM, ORRERY_PROGRAM, "train", settings.c_str(), "-o", path("run").c_str(),
            "--checkpoint-every", "3600", nullptr);
    ::_exit(127);
  }
  for (int i = 0; i < 600 && !std::filesystem::exists(path("run/settings.toml")); ++i)
    std::this_thread::sleep_for(100ms);
  std::this_thread::sleep_for(300ms);
  EXPECT_FALSE(std::filesystem::exists(path("run/checkpoint.safetensors")));
  int status = 0;
  for (pid_t ended = 0; ended == 0; ended = ::waitpid(training, &status, WNOHANG)) {
    ::kill(training, SIGTERM);
    std::this_thread::sleep_for(1ms);
  }
  // The last of them may come when all is saved and said: then it ends the program as usual.
  EXPECT_TRUE(std::filesystem::exists(path("run/checkpoint.safetensors"))) << status;
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
  expect_error(2, {"evaluate", path("run"), "--lengths", "1440"}, {"lengths", "1440", "up to 16 tokens"});
}

// A file that was there before is replaced by what came to its end, and by nothing else.
TEST_F(Training, EvaluateWritesLast) {
  const std::string settings =
      write("s.toml",
            "orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\n[model]\nwidth = 8\nheads = 2\npositions = "
            "\"alibi\"\n[training]\nsteps = 2\n");
  ASSERT_EQ(run({"train", settings, "-o", path("run")}).code, 0);
  const std::string logits = write("z.npy", "old");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which reserve more than any limit
  // The logits are those of the first length, for which there is room; the last one's attention takes 34 GB.
  const auto within_limits = [&](const std::string& lengths, const std::string& to) {
    return WEXITSTATUS(std::system(("ulimit -v 4000000; OMP_NUM_THREADS=1 '" + std::string(ORRERY_PROGRAM) +
                                    "' evaluate '" + path("run") + "' --sequences 1 --lengths " + lengths +
                                    " --logits '" + to + "' >'" + path("out") + "' 2>'" + path("err") + "'")
                                       .c_str()));
  };
  ASSERT_EQ(within_limits("8,64", path("room.npy")), 0) << contents(path("err"));
  EXPECT_EQ(within_limits("8,65536", logits), 1);
  EXPECT_EQ(contents(path("err")), "orrery: out of memory\n");
  EXPECT_EQ(contents(logits), "old");
#endif
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

// Threads that wait turn for microseconds, not for milliseconds: another program may need the core. Who says otherwise is
// heard.
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

}  // namespace
}  // namespace orrery::cli_test::training_test
