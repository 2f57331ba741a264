// A training in its folder: stopped anywhere it goes on to the same bits, and whose folder it is not is refused.
#include "app/experiment/train.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "app/experiment/collect.h"
#include "core/tensor/error.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::experiment {
namespace {

using support::contents;

const std::string tiny =
    "orrery = 1\n[task]\nkind = \"markov\"\nlength = 12\nsequences = 2\n[model]\nwidth = 8\nheads = 2\nhidden = 16\npositions "
    "= \"rope\"\n[schedule]\nwarm_up = 5\n[evaluation]\nlengths = [12, 24]\nsequences = 3\n[training]\nsteps = 30\n";

Plan plan(const std::string& more = {}) {
  return plan_of(settings_from_toml(tiny + more, "s.toml"));
}

std::string trained_alone(const Plan& plan) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  EXPECT_TRUE(train(run, plan, {}).done());
  return contents(run.checkpoint());
}

TEST(Train, StoppedAnywhereItGoesOnToTheSameBits) {
  const Plan p = plan();
  const std::string expected = trained_alone(p);
  for (const std::int64_t stop : {0, 1, 13, 29}) {
    const support::TemporaryFolder folder;
    const RunFolder run(folder.path() / "deep" / "run");
    std::int64_t asked = 0;
    const Trained first = train(run, p, {.stopped = [&] { return asked++ == stop; }});
    EXPECT_FALSE(first.done());
    EXPECT_EQ(first.step, stop);
    const Trained second = train(run, p, {});
    EXPECT_EQ(second.begun_at, stop);
    EXPECT_TRUE(second.done());
    EXPECT_TRUE(contents(run.checkpoint()) == expected) << stop;
    EXPECT_EQ(run.read_losses(30).size(), 30u);
  }
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

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Failure& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Train, AFolderOfOtherSettingsIsRefusedAndStays) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  train(run, plan(), {});
  const std::string before = contents(run.checkpoint());
  const Plan other = plan_of(settings_from_toml(tiny + "seed = 2\n", "s.toml"));
  const std::string said = refusal([&] { train(run, other, {}); });
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
  std::int64_t asked = 0;
  train(run, rms("false", "0.5", "0.1"), {.stopped = [&] { return asked++ == 2; }});
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
  const std::string said = refusal([&] { train(run, learned("", "20"), {}); });
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
  std::int64_t asked = 0;
  train(run, learned("length = 24\n", window), {.stopped = [&] { return asked++ == 1; }});
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
    const std::string said = refusal([&] { train(RunFolder(folder.path()), plan(), {}); });
    EXPECT_NE(said.find(name), said.npos) << said;
    EXPECT_EQ(contents(folder.path() / name), "mine");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
        << "nothing is left behind";
  }
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
  const std::string said = refusal([&] { train(run, plan_of(settings_from_toml(text, "s")), {}); });
  EXPECT_NE(said.find("not what it was"), said.npos) << said;
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
  const std::string said = refusal([&] { train(run, plan(), {}); });
  EXPECT_NE(said.find("checkpoint.safetensors"), said.npos) << said;
  EXPECT_EQ(said.find('\n'), said.npos);
}

TEST(Report, ByPositionBesideTheFloor) {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  const Plan p = plan();
  train(run, p, {});
  const Report report = report_of(trainer_of(run, p), p);
  ASSERT_EQ(report.lengths.size(), 2u);
  EXPECT_EQ(report.lengths[1].length, 24);
  EXPECT_EQ(report.lengths[1].score.loss_by_place.size(), 24u);
  ASSERT_TRUE(report.lengths[0].floor.has_value());
  EXPECT_LT(*report.lengths[0].floor, report.lengths[0].score.loss);
  EXPECT_EQ(report.trained, 12);
  double mean = 0;
  for (const double x : report.lengths[0].score.loss_by_place) mean += x / 12;
  EXPECT_NEAR(mean, report.lengths[0].score.loss, 1e-12);
}

// Sequences are the same however many go through a model at a time, and whoever is asked.
TEST(Report, TestSequencesDoNotDependOnBatches) {
  const Plan p = plan();
  const transformer::Batch all = p.task->asked(12, 0, 3, 3, 5), last = p.task->asked(12, 2, 1, 3, 5);
  EXPECT_TRUE(std::equal(last.tokens.begin(), last.tokens.end(), all.tokens.begin() + 24));
}

/// The plan of `tiny`, whose 12 tokens are trained, asked 24 of them otherwise.
Plan asked(const std::vector<std::pair<std::string, std::string>>& keys) {
  Settings settings = plan().settings;
  parameter::Settings& of = settings.of(asked_section);
  of.set("lengths", "24");
  for (const auto& [key, text] : keys) of.set(key, text);
  return plan_of(settings);
}

// What no pass reads stretches nothing: the factor is that of the window.
TEST(Report, ARuleStretchesWhatAPassReads) {
  const training::Trainer trainer(plan().trainer);
  const auto loss = [&](const std::string& window, const std::string& factor) {
    const Plan p = asked({{"rule", "linear"}, {"window", window}, {"factor", factor}});
    return report_of(trainer, p).lengths.at(0).score.loss;
  };
  EXPECT_EQ(loss("12", "auto"), loss("12", "1"));
  EXPECT_EQ(loss("18", "auto"), loss("18", "1.5"));
  EXPECT_EQ(loss("0", "auto"), loss("0", "2"));
  EXPECT_EQ(loss("100", "auto"), loss("100", "2")) << "a window beyond the end";
  EXPECT_NE(loss("12", "1"), loss("12", "2"));
}

// Rows that other programs are held beside are those that the loss is of.
TEST(Report, LogitsAreOfTheWindow) {
  const training::Trainer trainer(plan().trainer);
  const Said whole = first_said(trainer, asked({})), said = first_said(trainer, asked({{"window", "12"}}));
  ASSERT_EQ(said.logits.rows(), 24);
  EXPECT_TRUE(said.tokens == whole.tokens);
  EXPECT_LT((said.logits - whole.logits).topRows(12).cwiseAbs().maxCoeff(), 1e-5);
  // The last row is what a text says at its end that is those twelve tokens and no more.
  const transformer::Batch last{.sequences = 1,
                                .length = 12,
                                .tokens = {said.tokens.end() - 12, said.tokens.end()},
                                .targets = std::vector<Index>(12, transformer::no_target)};
  transformer::Tape<float> tape;
  trainer.model().forward(trainer.values(), last, tape);
  EXPECT_LT((said.logits.row(23) - tape.logits.row(11)).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_GT((said.logits - whole.logits).row(23).cwiseAbs().maxCoeff(), 1e-3);
}

// 8 sequences of 1024 tokens are what goes through a model at a time.
TEST(Report, WhatIsKnownByHeartIsAskedOfOnePass) {
  const support::TemporaryFolder folder;
  std::string words;
  for (int i = 0; i < 3000; ++i) words += std::to_string(i * i) + " ";
  support::put(folder.path() / "text", words);
  const auto known = [&](const std::string& sequences) {
    const Plan p = plan_of(settings_from_toml(
        "orrery = 1\n[task]\nkind = \"text\"\nlength = 1024\nsequences = 1\nfile = \"" +
            (folder.path() / "text").string() +
            "\"\n[model]\nwidth = 4\nheads = 1\nlayers = 1\nhidden = 4\n[evaluation]\nlengths = [16]\nsequences = " +
            sequences + "\n",
        "s"));
    return report_of(training::Trainer(p.trainer), p).text->known;
  };
  EXPECT_EQ(known("8"), known("20"));
  EXPECT_NE(known("8"), known("7"));
}

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
       {refusal([&] { run_cell(sweep, grid.cells[0], {}); }), refusal([&] { collect(sweep, grid); })})
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
  const std::string said = refusal([&] { sweep.begin(grid); });
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
  std::ofstream(sweep.result(grid.cells[0])) << "{\"lengths\": [{\"length\": \"no\"}]}";
  const std::string said = refusal([&] { collect(sweep, grid); });
  EXPECT_NE(said.find(grid.cells[0].name), said.npos) << said;
}

}  // namespace
}  // namespace orrery::experiment
