// The registry of actions: names, keys, a person's own keys, and what menus and shortcuts make of it.
#include "app/gui/actions.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "core/tensor/error.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::actions_test {
namespace {

TEST(ChordTest, IsReadAsItIsTyped) {
  EXPECT_EQ(parse_chord("Ctrl+Z"), (Chord{.key = Key::z, .ctrl = true}));
  EXPECT_EQ(parse_chord("ctrl+shift+z"), (Chord{.key = Key::z, .ctrl = true, .shift = true}));
  EXPECT_EQ(parse_chord("Alt+Left"), (Chord{.key = Key::left, .alt = true}));
  EXPECT_EQ(parse_chord("Ctrl++"), (Chord{.key = Key::plus, .ctrl = true}));
  EXPECT_EQ(parse_chord("+"), Chord{Key::plus});
  EXPECT_EQ(parse_chord("?"), Chord{Key::question});
  EXPECT_EQ(parse_chord("F11"), Chord{Key{300}});
  EXPECT_EQ(parse_chord("g"), Chord{Key{'G'}});
  for (const char* none : {"", "Ctrl+", "Strg+Z", "F13", "Ctrl+ZZ", "\u00FC"})
    EXPECT_FALSE(parse_chord(none)) << none;
}

TEST(ChordTest, IsWrittenAsItIsRead) {
  EXPECT_EQ(chord_text({.key = Key::z, .ctrl = true, .shift = true}), "Ctrl+Shift+Z");
  EXPECT_EQ(chord_text({.key = Key::minus, .ctrl = true}), "Ctrl+\u2212");
  EXPECT_EQ(chord_text({.key = Key::left, .alt = true}), "Alt+\u2190");
  // What is shown can be typed, arrows excepted, which have names.
  for (const Action& action : actions())
    for (const Chord& chord : parse_chords(action.keys)) {
      if (chord.key >= Key::right && chord.key <= Key::page_down) continue;
      EXPECT_EQ(parse_chord(chord_text(chord)), chord) << chord_text(chord);
    }
}

TEST(ActionsTest, EachHasItsOwnNameWordsAndDeed) {
  std::set<std::string_view> ids;
  std::set<std::pair<Group, std::string_view>> labels;
  for (const Action& action : actions()) {
    EXPECT_TRUE(ids.insert(action.id).second) << action.id;
    EXPECT_TRUE(labels.insert({action.group, action.label}).second) << action.label;
    EXPECT_NE(action.run, nullptr) << action.id;
    EXPECT_FALSE(action.label.empty()) << action.id;
    EXPECT_EQ(action.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), action.id.npos)
        << action.id;
    EXPECT_EQ(find_action(action.id), &action);
  }
  EXPECT_EQ(find_action("no such thing"), nullptr);
}

TEST(ActionsTest, NoKeyMeansTwoThings) {
  std::map<std::pair<bool, Chord>, std::string_view> taken;
  for (const Action& action : actions()) {
    for (const Chord& chord : parse_chords(action.keys)) {
      EXPECT_EQ(plain(chord), chord) << action.id << ": no keyboard sends " << chord_text(chord);
      const auto [it, fresh] = taken.try_emplace({action.on_figure, chord}, action.id);
      EXPECT_TRUE(fresh) << chord_text(chord) << ": " << it->second << " and " << action.id;
      // A bare letter is only for the figure: elsewhere it begins to type.
      const bool letter = !chord.ctrl && !chord.alt && chord.key >= Key{'A'} && chord.key <= Key{'Z'};
      EXPECT_TRUE(!letter || action.on_figure) << action.id;
    }
  }
}

class KeyFile : public testing::Test {
 protected:
  std::vector<std::string> read(KeyMap& keys, const std::string& text) {
    std::ofstream(path) << text;
    std::vector<std::string> lines;
    for (const Complaint& fault : keys.read(path)) lines.push_back(english(fault));
    return lines;
  }
  const support::TemporaryFolder folder;
  const std::filesystem::path path = folder / "keys.toml";
};

TEST_F(KeyFile, APersonsKeysReplaceTheDefaults) {
  KeyMap keys;
  const Action &undo = *find_action("undo"), &fit = *find_action("fit"), &exporting = *find_action("export");
  EXPECT_TRUE(read(keys, "\"undo\" = \"Alt+Backspace\"\n\"fit\" = \"\"\nplay = \"Ctrl+S F5\"\n").empty());
  EXPECT_EQ(keys.find({.key = Key::backspace, .alt = true}, false), &undo);
  EXPECT_EQ(keys.find({.key = Key::z, .ctrl = true}, false), nullptr);
  EXPECT_EQ(keys.find({.key = Key::home}, false), nullptr);
  EXPECT_EQ(keys.text(fit), "");
  // What was taken from Export's default is gone from there, the rest of it stays.
  EXPECT_EQ(keys.find({.key = Key::s, .ctrl = true}, false), find_action("play"));
  EXPECT_EQ(keys.text(exporting), "Ctrl+E");
}

TEST_F(KeyFile, EachBadLineIsSaidOnceAndTheRestHolds) {
  KeyMap keys;
  const auto faults = read(keys, "undo = \"Hyper+Z\"\nfly = \"F9\"\nredo = 7\nplay = \"F5\"\nfit = \"F5\"\n");
  ASSERT_EQ(faults.size(), 4u);
  EXPECT_NE(faults[0].find("undo: 'Hyper+Z' is not a key"), std::string::npos) << faults[0];
  EXPECT_NE(faults[1].find("no action is named 'fly'"), std::string::npos) << faults[1];
  EXPECT_NE(faults[2].find(":3: redo"), std::string::npos) << faults[2];
  EXPECT_NE(faults[3].find("F5 is given to both fit and play"), std::string::npos) << faults[3];
  EXPECT_EQ(keys.text(*find_action("undo")), "Ctrl+Z");
  const auto broken = read(keys, "undo = \n");
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_NE(broken[0].find(path.string() + ":1"), std::string::npos) << broken[0];
}

TEST_F(KeyFile, AKeyThatTheFigureTakesFirstIsSaidWithWhatItDoesThere) {
  KeyMap keys;
  const auto faults = read(keys, "fit = \"N Alt+N\"\nplay = \"+ F5\"\nundo = \"Alt+Enter\"\n");
  std::string all;
  for (const std::string& fault : faults) all += fault + "\n";
  EXPECT_EQ(faults.size(), 3u) << all;
  for (const char* sentence :
       {"while the figure has the keyboard, N goes through its legend instead of doing 'fit'\n",
        "while the figure has the keyboard, + zooms it instead of doing 'play'\n",
        "while the figure has the keyboard, Alt+Enter copies the values at its crosshair instead of doing "
        "'undo'\n"})
    EXPECT_NE(all.find(path.string() + ": " + sentence), std::string::npos) << sentence << all;
  EXPECT_EQ(keys.find({Key{'N'}}, true), find_action("fit")) << "under the pointer it does what was asked";
  // Left is the crosshair's and the way back by default: written down again it is no mistake.
  EXPECT_TRUE(read(keys, "view-back = \"Backspace Left Alt+Left\"\nplay = \"Space\"\n").empty());
}

/// Tables inside one another, half a million deep: the parser builds them, and taking them apart again would take all of the
/// stack. The fuzzer's target keys has it among what grows.
TEST_F(KeyFile, ADeepNameIsRefusedBeforeItIsBuilt) {
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "a.";
  KeyMap keys;
  const auto faults = read(keys, deep + "b = 1\n");
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].find("a name of more than 17 parts"), std::string::npos) << faults[0];
  EXPECT_EQ(keys.text(*find_action("undo")), "Ctrl+Z");
}

TEST_F(KeyFile, ALargeFileIsNotRead) {
  KeyMap keys;
  const auto faults = read(keys, std::string((1 << 20) + 1, '#'));
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].find("allowed: up to 1048576 bytes"), std::string::npos) << faults[0];
}

TEST_F(KeyFile, NoFileIsNoFault) {
  KeyMap keys;
  EXPECT_TRUE(keys.read("/nonexistent/keys.toml").empty());
}

TEST(ActionsTest, EveryActionStandsInItsMenu) {
  Harness h({1280, 800});
  h.settle();
  for (const Group group : groups) {
    bool opened = false;
    for (const Action& action : actions()) {
      if (action.group != group) continue;
      if (!opened) h.click("menu-" + std::string(group_name(group)));
      h.frames(2);
      opened = true;
      EXPECT_TRUE(h.ui.items.find("menu:" + std::string(action.id))) << action.id;
    }
    if (opened) h.key(Key::escape);
  }
}

TEST(ActionsTest, WhatCannotBeDoneSaysWhy) {
  Harness h;
  h.settle();
  h.key(Key::z, true);
  EXPECT_EQ(h.app.notice().text, "Undo: nothing is left to undo");
}

}  // namespace
}  // namespace orrery::gui::actions_test
