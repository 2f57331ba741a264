// A model as it learns: at twelve moments of one training, what it does with texts that are longer than any it has been
// trained on, and where two of its heads look.
//
//   copy     words of 8 to 90 tokens; the copying head has its weight on the token that is to be said, n back from the
//            query; the other head on the token before its own
//   chains   places 0 to 512; the finding head has its weight on the tokens that came behind earlier ones like its own
//            (induction: Olsson et al. 2022, arXiv 2209.11895); the other head as above
//
// Of all heads of all layers those two are shown that have the largest such weight at the end of the training.
// Source of the tasks: length_trial.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/training/length_trial.h"

namespace orrery::training {

inline constexpr std::array<Index, 8> growth_words{8, 16, 24, 30, 36, 44, 60, 90};
/// Attention is looked at in a word of 16 tokens, or in a chain of 33.
inline constexpr Index mapped_word = 16, mapped_tokens = 2 * mapped_word + 1;

struct HeadPlace {
  Index layer = 0, head = 0;
};

/// A model at one moment.
struct GrowthLook {
  std::int64_t step = 0;
  /// Words by their length; chains by parts of place_edges within 512. Losses of chains are above the floor.
  std::vector<double> loss, accuracy;
  /// Where the finding head and the head that looks one back put their weight: mapped_tokens², a row for each query.
  std::array<tensor::Matrix<float>, 2> maps;
  /// The weight on what they are named for, the mean of all queries that have such a token.
  std::array<double, 2> share{};
};

struct Growth {
  std::string_view key;  ///< of the runner
  Task task = Task::copy;
  std::uint64_t seed = 0;
  std::array<HeadPlace, 2> heads{};
  std::vector<GrowthLook> looks;
};

/// Trains, or finds what is kept, and looks.
Growth growth(Task, const Runner&, Index steps, std::uint64_t seed, const std::filesystem::path& folder,
              const Between& between);

/// The tokens that a map's rows and columns stand for.
std::vector<Index> mapped_text(Task);
/// Whether this key is what a query of that text is named for: 0 the finding head, 1 the one that looks one back.
bool is_looked_for(Task, const std::vector<Index>& text, int which, Index query, Index key);

}  // namespace orrery::training
