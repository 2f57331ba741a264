// Every input that is kept in corpus/: seeds, what a fuzzer found to lead to new places, and what once was a fault.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/fuzz/target.h"
#include "tests/support/files.h"
#include "tests/support/source.h"

namespace orrery::fuzz::replay_test {
namespace {

namespace fs = std::filesystem;

class FuzzReplay : public testing::TestWithParam<const Target*> {};

TEST_P(FuzzReplay, NoInputThatWasKeptIsAFault) {
  const Target& target = *GetParam();
  std::size_t inputs = 0, bytes = 0;
  for (const fs::directory_entry& each :
       fs::directory_iterator(support::source("tests/fuzz/corpus/" + std::string(target.name)))) {
    const std::string input = support::contents(each.path());
    EXPECT_NO_THROW(target.read(input)) << each.path();
    ++inputs;
    bytes += input.size();
  }
  EXPECT_GE(inputs, 3u) << "seeds at least";
  std::printf("  %zu inputs of %zu bytes\n", inputs, bytes);
}

TEST_P(FuzzReplay, NeitherIsNoInputAtAll) {
  EXPECT_NO_THROW(GetParam()->read({}));
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzReplay, testing::ValuesIn(targets()),
                         [](const auto& each) { return std::string(each.param->name); });

}  // namespace
}  // namespace orrery::fuzz::replay_test
