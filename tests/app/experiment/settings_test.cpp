// SETTINGS.toml: what is read, what is refused and how, and that a cell's name is that of its settings.
#include "app/experiment/settings.h"

#include <gtest/gtest.h>

#include "app/experiment/plan.h"
#include "core/tensor/error.h"

namespace orrery::experiment {
namespace {

Settings read(const std::string& text) {
  return settings_from_toml("orrery = 1\n" + text, "s.toml");
}

std::string refusal(const std::string& text) {
  try {
    plan_of(settings_from_toml(text, "s.toml"));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Settings, WhatIsWrittenIsReadAsItWas) {
  Settings settings;
  EXPECT_EQ(settings_from_toml(to_toml(settings), "a"), settings);
  settings.of("model").set("score_scale", "0.25");
  settings.of("model").set("gated", "on");
  settings.of("evaluation").set("lengths", "64,128");
  settings.of("task").set("file", "a \"b\"\\c.txt");
  EXPECT_EQ(settings_from_toml(to_toml(settings), "a"), settings);
}

TEST(Settings, NumbersAreTypedAsEverywhere) {
  const Settings settings = read(
      "[model]\nwidth = \"2^5\"\nrope_base = 500000\ngated = true\nscore_cap = \"none\"\n[task]\nkind = "
      "\"markov\"\n[evaluation]\nlengths = [64, \"2^7\"]\n[schedule]\nhighest = 1e-3\n");
  EXPECT_EQ(settings.of("model").integer("width"), 32);
  EXPECT_EQ(settings.of("model").real("rope_base"), 500000);
  EXPECT_TRUE(settings.of("model").toggle("gated"));
  EXPECT_EQ(settings.of("evaluation").vector("lengths"), (std::vector<double>{64, 128}));
}

// What a person may get wrong, and the words that must be in the one line.
TEST(Settings, WrongOnesAreOneLineWithItsPlace) {
  struct Wrong {
    std::string text;
    std::vector<std::string> words;
  };
  const std::string head = "orrery = 1\n";
  for (const Wrong& wrong : std::vector<Wrong>{
           {"", {"s.toml", "orrery"}},
           {"orrery = 2\n", {"s.toml:1", "orrery"}},
           {head + "[model\n", {"s.toml:2"}},
           {head + "[modell]\nwidth = 8\n", {"s.toml:2", "'modell'", "did you mean 'model'"}},
           {head + "[model]\nwidht = 8\n", {"s.toml:3:1", "'widht'", "did you mean 'width'"}},
           {head + "[model]\nwidth = 0\n", {"s.toml:3:9", "width", "from 1 to 8192"}},
           {head + "[model]\nwidth = 8.5\n", {"width", "not a whole number"}},
           {head + "[model]\nwidth = \"wide\"\n", {"width", "'wide'"}},
           {head + "[model]\nwidth = { a = 1 }\n", {"s.toml:3:9", "width"}},
           {head + "[model]\nwidth = 1979-05-27\n", {"s.toml:3:9", "width"}},
           {head + "[model]\npositions = \"rop\"\n", {"positions", "did you mean 'rope'"}},
           {head + "[model]\nwidth = 10\nheads = 4\n", {"model", "width", "multiple of 4"}},
           {head + "[model]\nheads = 4\nkey_value_heads = 3\n", {"heads", "multiple of 3"}},
           {head + "[model]\nrope_width = 3\n", {"rope_width", "multiple of 2"}},
           {head + "[model]\npositions = \"rope\"\nrope_width = 64\n", {"rope_width", "up to 16"}},
           {head + "[model]\nnorm_eps = -1\n", {"norm_eps", "from 0 to 1"}},
           {head + "[model]\nlength = 10\n", {"model", "length", "61 or more"}},
           {head + "[model]\ngated = \"maybe\"\n", {"gated", "'maybe'"}},
           {head + "model = 3\n", {"s.toml:2", "model", "a table"}},
           {head + "[task]\nkind = \"copie\"\n", {"kind", "did you mean 'copy'"}},
           {head + "[task]\nshortest = 40\n", {"task", "shortest", "up to 30"}},
           {head + "[task]\nkind = \"text\"\nfile = \"/nowhere/at/all\"\n", {"task: file: /nowhere/at/all"}},
           {head + "[task]\nkind = \"text\"\nfile = \"\"\n", {"task: file: found ''", "a text file"}},
           {head + "[model]\nwidth = 8192\n", {"model: ", " numbers", "up to 268435456"}},
           {head + "[task]\nconcentration = 0\n", {"concentration", "from 0.01 to 1"}},
           {head + "[optimiser]\nbeta1 = 1\n", {"beta1", "from 0 to 0.99999"}},
           {head + "[schedule]\nkind = \"cosin\"\n", {"did you mean 'cosine'"}},
           {head + "[schedule]\nhighest = nan\n", {"highest"}},
           {head + "[training]\nsteps = 0\n", {"steps", "from 1 to"}},
           {head + "[training]\nseed = -1\n", {"seed", "from 0 to"}},
           {head + "[evaluation]\nlengths = [0]\n", {"lengths"}},
           {head + "[evaluation]\nlengths = [[1]]\n", {"s.toml:3:11", "lengths"}},
           {head + "[evaluation]\nlengths = [1.5]\n", {"lengths", "whole numbers"}},
           {head + "[evaluation]\nrule = \"yarm\"\n", {"did you mean 'yarn'"}},
           {head + "[evaluation]\nfactor = \"often\"\n", {"factor", "'often'"}},
       }) {
    const std::string said = refusal(wrong.text);
    EXPECT_EQ(said.find('\n'), said.npos) << said;
    for (const std::string& word : wrong.words)
      EXPECT_NE(said.find(word), said.npos) << word << " in: " << said;
  }
}

TEST(Settings, ACellsNameIsThatOfWhatIsRead) {
  const Settings usual = read("");
  EXPECT_EQ(usual.hash().size(), 16u);
  EXPECT_EQ(read("[model]\nwidth = 64\n").hash(), usual.hash());
  EXPECT_NE(read("[model]\nwidth = 128\n").hash(), usual.hash());
  EXPECT_NE(read("[training]\nseed = 2\n").hash(), usual.hash());
  EXPECT_NE(read("[evaluation]\nsequences = 3\n").hash(), usual.hash());
  // The base of a model without rotary positions is read by nobody.
  EXPECT_EQ(read("[model]\nrope_base = 5e5\n").hash(), usual.hash());
  EXPECT_NE(read("[model]\npositions = \"rope\"\nrope_base = 5e5\n").hash(),
            read("[model]\npositions = \"rope\"\n").hash());
}

// Each key, the settings that do not read it and those that do.
TEST(Settings, AKeyThatIsNotReadMakesNoOtherTraining) {
  struct Key {
    std::string key, unread, read;
  };
  for (const Key& of : std::vector<Key>{
           {"[model]\nnorm_bias = false\n", "norm = \"rms\"\n", "norm = \"layer\"\n"},
           {"[model]\nfire_deep = false\n", "positions = \"t5\"\n", "positions = \"fire\"\n"},
           {"[schedule]\nend = 0.1\n", "kind = \"constant\"\n", "kind = \"cosine\"\n"},
           {"[schedule]\nend = 0.1\n", "kind = \"inverse_root\"\n", "kind = \"linear\"\n"},
           {"[schedule]\nend = 0.1\n", "kind = \"constant\"\n", "kind = \"stable\"\n"},
           {"[start]\ninner_gain = 0.5\n", "[model]\nplacement = \"pre\"\n",
            "[model]\nplacement = \"output\"\n"},
           {"[start]\ninner_gain = 0.5\n", "[model]\nplacement = \"post\"\n",
            "[model]\nplacement = \"sandwich\"\n"},
       }) {
    const std::string section = of.key.substr(0, of.key.find('\n') + 1);
    const auto same = [&](const std::string& more) {
      const Settings with = read(of.key + more);
      const Settings without = read(section + more);
      EXPECT_EQ(with.trains_as(without), with.hash() == without.hash()) << of.key << more;
      return with.trains_as(without);
    };
    EXPECT_TRUE(same(of.unread)) << of.key << of.unread;
    EXPECT_FALSE(same(of.read)) << of.key << of.read;
  }
}

TEST(Settings, WhatDiffersIsNamed) {
  const Settings usual = read("");
  EXPECT_EQ(read("[model]\nheads = 2\n").first_difference(usual), "model.heads");
  EXPECT_EQ(read("[evaluation]\nsequences = 2\n").first_difference(usual), "")
      << "what is asked is no part of it";
}

TEST(Settings, EveryKeySetsSomething) {
  // Of each enumeration the last choice: another name than the first must be another value in core.
  const Plan plan = plan_of(read(
      "[model]\npositions = \"fire\"\nfire_c = 0.5\nfire_threshold = 9\nfire_width = 8\nfire_deep = "
      "false\nplacement = \"parallel_one_norm\"\nqk_norm = \"whole\"\nactivation = \"tanh\"\nnorm = "
      "\"rms\"\nfinal_norm = \"off\"\ntied = true\nscaled_embedding = true\nwindow = 7\n[start]\nspread = "
      "\"he_normal\"\ninto_stream = \"zero\"\n[schedule]\nkind = \"constant\"\n"));
  const transformer::Config& m = plan.trainer.model;
  EXPECT_EQ(m.positions, transformer::Positions::fire);
  EXPECT_EQ(m.fire.c, 0.5);
  EXPECT_EQ(m.fire.threshold, 9);
  EXPECT_EQ(m.fire_width, 8);
  EXPECT_FALSE(m.fire_deep);
  EXPECT_EQ(m.placement, transformer::Placement::parallel_one_norm);
  EXPECT_EQ(m.qk_norm, transformer::QkNorm::whole);
  EXPECT_EQ(m.activation.kind, activation::Kind::tanh);
  EXPECT_EQ(m.norm.kind, transformer::NormKind::rms);
  EXPECT_EQ(m.final_norm, std::optional(false));
  EXPECT_TRUE(m.tied && m.scaled_embedding);
  EXPECT_EQ(m.window, 7);
  EXPECT_EQ(plan.trainer.start.spread, transformer::Spread::he_normal);
  EXPECT_EQ(plan.trainer.start.into_stream, transformer::IntoStream::zero);
  EXPECT_EQ(plan.trainer.schedule.kind, training::Schedule::Kind::constant);
  EXPECT_EQ(plan_of(read("[model]\nrope_layout = \"interleaved\"\n")).trainer.model.rope.layout,
            position::RopeLayout::interleaved);
}

}  // namespace
}  // namespace orrery::experiment
