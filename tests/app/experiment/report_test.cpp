// What a trained model is like: by length and position, under a rule and with a window.
#include "app/experiment/report.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace orrery::experiment
