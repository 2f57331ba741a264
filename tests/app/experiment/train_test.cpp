// A training in its folder: stopped anywhere it goes on to the same bits, and whose folder it is not is refused.
#include "app/experiment/train.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "app/experiment/report.h"
#include "core/tensor/error.h"
#include "tests/app/experiment/tiny_training.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::experiment {
namespace {

using namespace tiny_training;  // NOLINT(google-build-using-namespace)
using support::contents;

std::string trained_alone(const Plan& plan) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  EXPECT_TRUE(train(run, plan, {}).done());
  return contents(run.checkpoint());
}

/// Stops when so many steps are done.
TrainOptions stopped_after(std::int64_t steps) {
  const auto done = std::make_shared<std::int64_t>(0);
  return {.tell = [done](const Progress& p) { *done = p.step; },
          .stopped = [done, steps] { return *done == steps; }};
}

TEST(Train, StoppedAnywhereItGoesOnToTheSameBits) {
  const Plan p = plan();
  const std::string expected = trained_alone(p);
  for (const std::int64_t stop : {0, 1, 13, 29}) {
    const support::TemporaryFolder folder;
    const RunFolder run(folder.path() / "deep" / "run");
    const Trained first = train(run, p, stopped_after(stop));
    EXPECT_FALSE(first.done());
    EXPECT_EQ(first.step, stop);
    const Trained second = train(run, p, {});
    EXPECT_EQ(second.begun_at, stop);
    EXPECT_TRUE(second.done());
    EXPECT_TRUE(contents(run.checkpoint()) == expected) << stop;
    EXPECT_EQ(run.read_losses(30).size(), 30u);
  }
}

// It is asked before each step, on its way forward, back and before the weights change: who is told in the middle of a step of
// many minutes ends then, and the step is as if it had not been begun.
TEST(Train, StoppedWithinAStepItIsNotTaken) {
  const Plan p = plan();
  const std::string expected = trained_alone(p);
  for (const std::int64_t stop : {1, 2, 3, 50}) {
    const support::TemporaryFolder folder;
    const RunFolder run(folder.path());
    std::int64_t asked = 0;
    EXPECT_EQ(train(run, p, {.stopped = [&] { return asked++ == stop; }}).step, stop / 4) << stop;
    EXPECT_TRUE(train(run, p, {}).done());
    EXPECT_TRUE(contents(run.checkpoint()) == expected) << stop;
  }
}

// Nothing is made of what cannot be, in a folder or anywhere else.
TEST(Train, ABatchThatNoMachineHoldsIsRefusedFirst) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path() / "run");
  const Plan large = plan_of(settings_from_toml(
      "orrery = 1\n[task]\nkind = \"markov\"\nstates = 256\nlength = 65536\nsequences = 65536\n", "s"));
  const std::string said = refusal_of([&] { train(run, large, stopped_after(0)); });
  EXPECT_NE(said.find("65536 sequences of 65536 tokens"), said.npos) << said;
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Train, TheSameForAnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  std::vector<std::string> ends;
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    ends.push_back(trained_alone(plan()));
  }
  omp_set_num_threads(before);
  EXPECT_TRUE(ends[0] == ends[1]);
  EXPECT_TRUE(ends[0] == ends[2]);
}

TEST(Train, ProgressIsTold) {
  const support::TemporaryFolder folder;
  std::vector<std::int64_t> steps;
  train(RunFolder(folder.path()), plan(), {.tell = [&](const Progress& p) {
          steps.push_back(p.step);
          EXPECT_EQ(p.steps, 30);
          EXPECT_GE(p.seconds_left, 0);
          EXPECT_TRUE(std::isfinite(p.loss));
        }});
  ASSERT_EQ(steps.size(), 30u);
  EXPECT_EQ(steps.back(), 30);
}

TEST(Train, AFolderOfOtherSettingsIsRefusedAndStays) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  train(run, plan(), {});
  const std::string before = contents(run.checkpoint());
  const Plan other = plan_of(settings_from_toml(tiny + "seed = 2\n", "s.toml"));
  const std::string said = refusal_of([&] { train(run, other, {}); });
  EXPECT_NE(said.find(folder.string()), said.npos) << said;
  EXPECT_NE(said.find("training.seed"), said.npos) << said;
  EXPECT_TRUE(contents(run.checkpoint()) == before);
  // What is asked of it is no part of it.
  EXPECT_TRUE(train(run, plan("[start]\n"), {}).done());
}

// A base that no model of ALiBi reads makes no other training.
TEST(Train, WhatIsNotReadMayChange) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  const auto alibi = [](const std::string& base) {
    return plan_of(
        settings_from_toml("orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\n[model]\nwidth = 8\nheads = "
                           "2\npositions = \"alibi\"\nrope_base = " +
                               base + "\n[training]\nsteps = 2\n",
                           "s"));
  };
  train(run, alibi("5000"), {});
  EXPECT_TRUE(train(run, alibi("10000"), {}).done());
}

// What a folder's settings.toml says of keys that nobody reads is no reason to refuse it.
TEST(Train, WhatWasNotReadGoesOn) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  const auto rms = [](const std::string& bias, const std::string& gain, const std::string& end) {
    return plan_of(settings_from_toml(
        "orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\n[model]\nwidth = 8\nheads = 2\nnorm = \"rms\"\nnorm_bias = " +
            bias + "\n[start]\ninner_gain = " + gain + "\n[schedule]\nkind = \"constant\"\nend = " + end +
            "\n[training]\nsteps = 4\n",
        "s"));
  };
  train(run, rms("false", "0.5", "0.1"), stopped_after(2));
  EXPECT_NE(contents(run.settings()).find("norm_bias = false"), std::string::npos);
  const Trained end = train(run, rms("true", "1", "0"), {});
  EXPECT_EQ(end.begun_at, 2);
  EXPECT_TRUE(end.done());
}

Plan learned(const std::string& model, const std::string& asked) {
  return plan_of(settings_from_toml(
      "orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\n[model]\nwidth = 8\nheads = 2\n" + model +
          "[evaluation]\nlengths = [" + asked + "]\n[training]\nsteps = 2\n",
      "s"));
}

// Learned positions are as many as are asked: asked more, it is another model, and the folder stays what it was.
TEST(Train, MoreLearnedPositionsAreAnotherModel) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  train(run, learned("", "12"), {});
  const std::string before = contents(run.settings());
  const std::string said = refusal_of([&] { train(run, learned("", "20"), {}); });
  EXPECT_NE(said.find("12 learned positions is here, not with 20"), said.npos) << said;
  EXPECT_NE(said.find("model.length = 12"), said.npos) << said;
  EXPECT_EQ(contents(run.settings()), before);
  EXPECT_TRUE(train(run, learned("length = 12\n", "9"), {}).done()) << "as many, said";
  EXPECT_TRUE(train(run, learned("", "10, 12"), {}).done());
}

// A window that slides is read at positions 0 … W − 1, however long the sequence is.
TEST(Train, LearnedPositionsAreAsManyAsAPassReads) {
  const std::string window = "8, 24]\nwindow = 10\nseed = 1\n#";
  EXPECT_EQ(learned("", "8, 24").trainer.model.length, 24);
  EXPECT_EQ(learned("", window).trainer.model.length, 10);
  EXPECT_EQ(learned("", "8, 24]\nwindow = 4\nseed = 1\n#").trainer.model.length, 8) << "as are trained";
  EXPECT_EQ(learned("", "8, 9]\nwindow = 10\nseed = 1\n#").trainer.model.length, 9);
  EXPECT_NO_THROW(learned("length = 10\n", window));
  EXPECT_THROW(learned("length = 9\n", window), InvalidArgument);
}

// Its table had a row for every token that is asked, whatever the window.
TEST(Train, ATableThatIsLongerThanWhatIsReadGoesOn) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  const std::string window = "8, 24]\nwindow = 10\nseed = 1\n#";
  train(run, learned("length = 24\n", window), stopped_after(1));
  const Plan now = learned("", window);
  support::put(run.settings(), to_toml(now.settings));
  const Trained end = train(run, now, {});
  EXPECT_EQ(end.begun_at, 1);
  EXPECT_TRUE(end.done());
  const training::Trainer trainer = trainer_of(run, now);
  EXPECT_EQ(trainer.model().config().length, 24);
  EXPECT_TRUE(std::isfinite(report_of(trainer, now).lengths[1].score.loss));
}

TEST(Train, WhatCannotBeAskedIsRefusedFirst) {
  try {
    learned("length = 9\n", "8, 10");
    ADD_FAILURE() << "refused after the training";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("up to 9"), std::string::npos) << error.what();
  }
  EXPECT_THROW(learned("", "8, 8"), InvalidArgument)
      << "a length that is asked twice would count as two seeds";
  EXPECT_THROW(learned("positions = \"rope\"\nhead_width = 2\n", "8]\nrule = \"ntk\"\nseed = 1\n#"),
               InvalidArgument)
      << "no rule of one pair";
  EXPECT_NO_THROW(learned("length = 9\n", "8, 9"));
}

TEST(Train, OneAtATime) {
  const support::TemporaryFolder folder;
  const FolderLock held(folder.path());
  EXPECT_THROW(train(RunFolder(folder.path()), plan(), {}), Busy);
}

TEST(Train, NothingOfOthersIsWrittenOver) {
  for (const char* name : {"losses.csv", "checkpoint.safetensors"}) {
    const support::TemporaryFolder folder;
    std::ofstream(folder.path() / name) << "mine";
    const std::string said = refusal_of([&] { train(RunFolder(folder.path()), plan(), {}); });
    EXPECT_NE(said.find(name), said.npos) << said;
    EXPECT_EQ(contents(folder.path() / name), "mine");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
        << "nothing is left behind";
  }
}

// A settings.toml that no training wrote is somebody's own, with what they remarked in it.
TEST(Train, SettingsOfSomebodysOwnStay) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  const std::string mine = "# my remarks\n" + tiny;
  support::put(run.settings(), mine);
  const std::string said = refusal_of([&] { train(run, plan_of(run.read()), {}); });
  EXPECT_NE(said.find("settings.toml: is of no training"), said.npos) << said;
  EXPECT_EQ(contents(run.settings()), mine);
  EXPECT_EQ(folder.files(), 1u) << "nothing is left behind";
}

TEST(Train, ALossThatIsNoNumberHasNoSign) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  run.write_losses({{.step = 1, .loss = std::copysign(NAN, -1.0), .rate = 0.5}});
  EXPECT_EQ(contents(run.losses()), "step,loss,rate\n1,nan,0.5\n");
  ASSERT_EQ(run.read_losses(1).size(), 1u);
  EXPECT_TRUE(std::isnan(run.read_losses(1)[0].loss));
}

TEST(Train, AFinishedOneSaysItsLoss) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  const double loss = train(run, plan(), {}).loss;
  EXPECT_TRUE(std::isfinite(loss));
  EXPECT_EQ(train(run, plan(), {}).loss, run.read_losses(30).back().loss);
  EXPECT_NEAR(train(run, plan(), {}).loss, loss, 1e-6 * loss);  // as losses.csv has it
}

TEST(Train, AnotherTextIsNoticed) {
  const support::TemporaryFolder folder;
  const std::string path = (folder.path() / "text").string(), words(4000, 'a');
  std::ofstream(path) << words;
  const std::string text = "orrery = 1\n[task]\nkind = \"text\"\nlength = 8\nsequences = 1\nfile = \"" +
                           path + "\"\n[model]\nwidth = 8\nheads = 2\nhidden = 8\n[training]\nsteps = 2\n";
  const RunFolder run(folder.path() / "run");
  train(run, plan_of(settings_from_toml(text, "s")), {});
  std::ofstream(path) << words << "b";
  const std::string said = refusal_of([&] { train(run, plan_of(settings_from_toml(text, "s")), {}); });
  EXPECT_NE(said.find("not what it was"), said.npos) << said;
  support::put(run.text(), std::string(100, '['));
  const std::string deep = refusal_of([&] { train(run, plan_of(settings_from_toml(text, "s")), {}); });
  EXPECT_NE(deep.find("text.json: nested deeper"), deep.npos) << deep;
}

TEST(Train, ALengthPastTheTextIsNamedByItsKey) {
  const support::TemporaryFolder folder;
  const std::string path = (folder.path() / "text").string();
  support::put(path, std::string(2000, 'a'));
  const Settings asked =
      settings_from_toml("orrery = 1\n[task]\nkind = \"text\"\nlength = 8\nfile = \"" + path +
                             "\"\n[model]\nwidth = 8\nheads = 2\n[evaluation]\nlengths = [400]\n",
                         "s");
  try {
    plan_of(asked);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("evaluation: lengths: found 400")) << error.what();
  }
}

// Of 200 bytes 180 are trained on and 20 held out, and learned positions may be fewer still: whichever limit is said, what it
// allows can be asked.
TEST(Train, OfSeveralLimitsOfALengthTheSmallestIsSaid) {
  const support::TemporaryFolder folder;
  const std::string path = (folder.path() / "text").string();
  support::put(path, std::string(200, 'a'));
  const auto refused = [&](int rows, const std::string& asked) -> std::string {
    const Settings settings = settings_from_toml(
        "orrery = 1\n[task]\nkind = \"text\"\nlength = 8\nheld_out = 0.1\nfile = \"" + path +
            "\"\n[model]\nwidth = 8\nheads = 2\npositions = \"learned\"\nlength = " + std::to_string(rows) +
            "\n[evaluation]\n" + asked + "\n",
        "s");
    try {
      plan_of(settings);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return {};
  };
  for (const char* n : {"17", "40", "179", "40000"}) {
    const std::string asked = std::string("lengths = [") + n + "]";
    for (const std::string& said : {refused(16, asked), refused(16, asked + "\nwindow = 20")})
      EXPECT_NE(said.find("what is read as up to 16 tokens"), said.npos) << said;
  }
  for (const char* n : {"20", "40", "179", "40000"}) {
    const std::string asked = std::string("lengths = [") + n + "]";
    for (const std::string& said : {refused(30, asked), refused(16, asked + "\nwindow = 8")})
      EXPECT_NE(said.find("from 1 to 19: "), said.npos) << said;
  }
  EXPECT_EQ(refused(16, "lengths = [16]"), "");
  EXPECT_EQ(refused(16, "lengths = [16]\nwindow = 20"), "");
  EXPECT_EQ(refused(30, "lengths = [19]"), "");
  EXPECT_EQ(refused(16, "lengths = [19]\nwindow = 8"), "");
}

TEST(Train, AnotherTextChangesNothing) {
  const support::TemporaryFolder folder;
  const std::string path = (folder.path() / "text").string();
  const auto asked = [&](const char* lengths) {
    return settings_from_toml(
        "orrery = 1\n[task]\nkind = \"text\"\nlength = 8\nsequences = 1\nfile = \"" + path +
            "\"\n[model]\nwidth = 8\nheads = 2\nhidden = 8\npositions = \"rope\"\n[training]\n"
            "steps = 2\n[evaluation]\nlengths = " +
            lengths + "\n",
        "s");
  };
  const RunFolder run(folder.path() / "run");
  support::put(path, std::string(2000, 'a'));
  train(run, plan_of(asked("[8]")), {});
  const std::string before = contents(run.settings());
  support::put(path, std::string(2000, 'b'));
  EXPECT_THROW(train(run, plan_of(asked("[8, 16]")), {}), Failure);
  EXPECT_EQ(contents(run.settings()), before);
}

// A relative path is that of where the training began, wherever one stands when the model is asked.
TEST(Train, TheFolderKeepsTheTextsWholePath) {
  const support::TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::ofstream(folder.path() / "text") << std::string(2000, 'a');
  std::filesystem::current_path(folder.path());
  const Plan p = plan_of(settings_from_toml(
      "orrery = 1\n[task]\nkind = \"text\"\nlength = 8\nsequences = 1\nfile = \"./text\"\n[model]\nwidth = 8\nheads = "
      "2\nhidden = 8\n[training]\nsteps = 2\n",
      "s"));
  const RunFolder run(folder.path() / "run");
  train(run, p, {});
  EXPECT_TRUE(train(run, p, {}).done());
  // The same text by another path is no reason to write anything.
  const std::string remarked = "# mine\n" + to_toml(p.settings), whole = contents(run.settings());
  support::put(run.settings(), remarked);
  EXPECT_TRUE(train(run, p, {}).done());
  EXPECT_EQ(contents(run.settings()), remarked);
  support::put(run.settings(), whole);
  std::filesystem::current_path(before);
  const Plan later = plan_of(run.read());
  EXPECT_EQ(later.task->text()->bytes.size(), 2000u);
  run.check_text(*later.task);
}

TEST(Train, ADamagedCheckpointIsOneLine) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  train(run, plan(), {});
  std::filesystem::resize_file(run.checkpoint(), 100);
  const std::string said = refusal_of([&] { train(run, plan(), {}); });
  EXPECT_NE(said.find("checkpoint.safetensors"), said.npos) << said;
  EXPECT_EQ(said.find('\n'), said.npos);
}

}  // namespace
}  // namespace orrery::experiment
