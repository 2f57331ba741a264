// Ways through a tree of sequences: the example of Hugging Face's "How to generate text", and sequences counted by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/expects.h"
#include "app/study/output/search.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace output_decoding_test {
namespace {

using output::Chain;
using Tokens = std::vector<tensor::Index>;

/// "The" → nice 0.5, dog 0.4; nice → woman 0.4; dog → has 0.9 (P. von Platen, huggingface.co/blog/how-to-generate, 2020):
/// greedy goes to "The nice woman", 0.2, a beam of two to "The dog has", 0.36.
Chain nice_and_dog() {
  enum { nice, dog, woman, has };
  Chain p(5, 4);
  p << 0.5, 0.4, 0.05, 0.05,  // The
      0.3, 0.25, 0.4, 0.05,   // nice
      0.04, 0.03, 0.03, 0.9,  // dog
      0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25;
  return p.array().log();
}

TEST(OutputDecoding, TheNiceWomanAndTheDogHas) {
  const Chain chain = nice_and_dog();
  EXPECT_EQ(output::greedy(chain, 2).tokens, (Tokens{0, 2}));
  EXPECT_NEAR(std::exp(output::greedy(chain, 2).log_probability), 0.2, 1e-15);
  const auto two = output::beam(chain, 2, 2);
  EXPECT_EQ(two.found.tokens, (Tokens{1, 3}));
  EXPECT_NEAR(std::exp(two.found.log_probability), 0.36, 1e-15);
  EXPECT_EQ(two.kept[1].size(), 2u);
  EXPECT_EQ(output::beam(chain, 2, 1).found.tokens, (Tokens{0, 2}));
  EXPECT_NEAR(std::exp(output::viterbi(chain, 2)), 0.36, 1e-15);
  EXPECT_EQ(output::all_sequences(chain, 3).size(), 64u);
}

// Of 4000 draws of one token each probability comes out, within four deviations √(p (1 − p) / n).
TEST(OutputDecoding, SamplesComeAsOftenAsTheirProbabilitySays) {
  const Chain chain = nice_and_dog();
  std::vector<double> counts(4, 0);
  constexpr int draws = 4000;
  for (int seed = 0; seed < draws; ++seed)
    ++counts[static_cast<std::size_t>(
        output::sample(chain, chain, 1, static_cast<std::uint64_t>(seed)).tokens[0])];
  for (int v = 0; v < 4; ++v) {
    const double p = std::exp(chain(0, v));
    EXPECT_NEAR(counts[static_cast<std::size_t>(v)] / draws, p, 4 * std::sqrt(p * (1 - p) / draws)) << v;
  }
}

TEST(OutputDecoding, OneWordAndLevelChainsKeepTheChecks) {
  EXPECT_TRUE(all_hold(compute("output/decoding", {{"words", "one"}, {"length", "4"}, {"beam", "8"}})));
  const auto level = compute("output/decoding", {{"spread", "0"}, {"words", "a b c d e"}, {"length", "4"}});
  EXPECT_TRUE(all_hold(level));
  EXPECT_EQ(column(level, "tokens", "greedy"), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(column(level, "tokens", "beam"), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_NEAR(column(level, "sums", "sampled").back(), -4 * std::log(4), 1e-14);
}

/// Greedy's sequence, or another one that many times as likely.
bool what_the_beam_finds(const titles::Said& said) {
  const double ratio = std::exp(said.column("sums", "beam").back() - said.column("sums", "greedy").back());
  const double width = said.settings.real("beam");
  if (said.column("tokens", "beam") == said.column("tokens", "greedy")) {
    const auto part = said.as("A beam of width {} finds the sequence that greedy finds");
    return part && titles::says((*part)[0], width);
  }
  const auto part =
      said.as(ratio >= 1 ? "A beam of width {} finds a sequence {} times as likely as greedy's"
                         : "A beam of width {} loses greedy's sequence, and finds one {} times as likely");
  return part && titles::says((*part)[0], width) &&
         std::abs(titles::number_of((*part)[1]) - ratio) <= 0.0050001;
}

const titles::Entries entries{{"output/decoding", what_the_beam_finds}};

}  // namespace
}  // namespace output_decoding_test
}  // namespace orrery::study
