// Texts as bytes: which files, in which order, what is held out, and what batches are made of.
#include "core/training/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <utility>

#include "core/tensor/error.h"
#include "tests/support/temporary_folder.h"

namespace orrery::training {
namespace {

void write(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TextTask task_of(std::string bytes, std::size_t trained) {
  return {.text = std::make_shared<const Text>(Text{"x", {"x"}, std::move(bytes), trained}),
          .length = 3,
          .sequences = 2};
}

std::string words_of(const std::vector<Index>& ids) {
  std::string text;
  for (const Index id : ids) text += static_cast<char>(id);
  return text;
}

TEST(Text, AFolderIsItsFilesInTheOrderOfTheirNames) {
  const support::TemporaryFolder folder;
  write(folder.path() / "b", "second ");
  write(folder.path() / "a", "first ");
  write(folder.path() / "B", "capitals come before ");
  std::filesystem::create_symlink("a", folder.path() / "again");
  std::filesystem::create_directory(folder.path() / "more");
  const Text text = read_text(folder.path());
  EXPECT_EQ(text.bytes, "capitals come before first second ");
  EXPECT_EQ(text.files, (std::vector<std::string>{"B", "a", "b"}));
  EXPECT_EQ(text.held_out(), "nd ");  // a tenth of 34 bytes
  EXPECT_EQ(std::string(text.of_training()) + std::string(text.held_out()), text.bytes);
}

TEST(Text, AFileIsItself) {
  const support::TemporaryFolder folder;
  write(folder.path() / "a", std::string("\0\xff\n0123456789", 13));
  const Text text = read_text(folder.path() / "a", 0.25);
  EXPECT_EQ(text.bytes, std::string("\0\xff\n0123456789", 13));
  EXPECT_EQ(text.held_out(), "789");
}

TEST(Text, WhatIsNotThereIsOneLine) {
  const support::TemporaryFolder folder;
  try {
    read_text(folder.path() / "nowhere");
    FAIL();
  } catch (const Failure& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with((folder.path() / "nowhere").string()))
        << error.what();
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
  }
  EXPECT_THROW(read_text(folder.path()), Failure) << "a folder with nothing in it";
  write(folder.path() / "empty", "");
  EXPECT_THROW(read_text(folder.path()), Failure);
}

TEST(TextTask, EveryByteIsFollowedByItsNext) {
  const TextTask task = task_of("abcdefghijklmnop", 10);
  for (std::uint64_t step = 0; step < 40; ++step) {
    const Batch batch = task.training(1, step);
    ASSERT_EQ(batch.tokens.size(), 6u);
    for (std::size_t n = 0; n < 6; ++n) {
      EXPECT_EQ(batch.targets[n], batch.tokens[n] + 1);
      EXPECT_LE(batch.targets[n], 'j') << "what is held out is never seen";
    }
    EXPECT_EQ(batch.tokens, task.training(1, step).tokens);
  }
}

TEST(TextTask, TestsAreEvenlyApart) {
  const TextTask task = task_of("abcdefghijklmnopqrstuvwxyz", 10);
  EXPECT_EQ(words_of(task.of_length(3, 3).tokens), "klmqrswxy");
  EXPECT_EQ(words_of(task.of_length(3, 3).targets), "lmnrstxyz");
  EXPECT_EQ(words_of(task.of_length(3, 1).tokens), "klm");
  EXPECT_EQ(words_of(task.trained_of_length(9, 2).tokens), "abcdefghiabcdefghi");
}

TEST(TextTask, TooShortAPartIsRefused) {
  const TextTask task = task_of("abcdefghijklmnop", 10);
  EXPECT_NO_THROW(task.check(5));
  EXPECT_THROW(task.check(6), InvalidArgument);
  EXPECT_THROW(task.of_length(6, 1), InvalidArgument);
}

// What the limit allows is allowed: that of the longer part would be refused at the next try.
TEST(TextTask, TheLimitIsThatOfTheShorterPart) {
  const auto refused = [](const TextTask& task, Index tokens) -> std::string {
    try {
      task.check(tokens);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return {};
  };
  for (const auto& [trained, part] : {std::pair<std::size_t, const char*>{10, "6 bytes are held out"},
                                      std::pair<std::size_t, const char*>{6, "6 bytes are trained on"}}) {
    const TextTask task = task_of("abcdefghijklmnop", trained);
    EXPECT_EQ(task.longest(), 5);
    for (const Index tokens : {6, 9, 40}) {
      const std::string said = refused(task, tokens);
      EXPECT_NE(said.find("from 1 to 5: "), said.npos) << said;
      EXPECT_NE(said.find(part), said.npos) << said;
    }
    EXPECT_EQ(refused(task, 5), "");
  }
  EXPECT_EQ(task_of("abc", 3).longest(), 0) << "nothing is held out";
  EXPECT_THROW(task_of("abc", 3).check(1), InvalidArgument);
}

TEST(TextTask, BytesAboveAsciiAreTokensToo) {
  const Batch batch = task_of("\xff\xfe\xfd\xfc\x80\x81\x82\x83", 4).of_length(3, 1);
  EXPECT_EQ(batch.tokens, (std::vector<Index>{0x80, 0x81, 0x82}));
}

// By hand: of "aab" each byte once more, a has 3/259, b 2/259, and c, never seen, 1/259.
TEST(TextTask, LossWithoutContext) {
  const Text text{"x", {}, "aababc", 3};
  const double expected = -(std::log(3 / 259.0) + std::log(2 / 259.0) + std::log(1 / 259.0)) / 3;
  EXPECT_NEAR(loss_without_context({"x", {}, "aababc", 3}), expected, 1e-12);
  EXPECT_EQ(text.held_out(), "abc");
}

// Debian's base-files: the links (GPL, LGPL, GFDL) are left out, so that no licence counts twice.
TEST(Text, DebiansLicences) {
  if (!std::filesystem::is_directory(licences)) GTEST_SKIP() << licences << " is not here";
  const Text text = read_text(licences);
  EXPECT_GT(text.bytes.size(), 150'000u);
  EXPECT_LT(text.bytes.size(), 500'000u);
  EXPECT_EQ(std::ranges::count(text.files, "GPL-3"), 1);
  EXPECT_EQ(std::ranges::count(text.files, "GPL"), 0);
}

}  // namespace
}  // namespace orrery::training
