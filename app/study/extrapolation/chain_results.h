// How far small models lie above the best that can be known in chains longer than any they were trained on, as one line of
// text that a recipe keeps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/training/length_trial.h"

namespace orrery::study {

/// A model's losses above the floor, part by part (training::place_edges).
struct ChainRun {
  std::string_view key;  ///< of its runner
  std::uint64_t seed = 0;
  std::vector<double> above;
};

struct ChainResults {
  std::string where;  ///< "AMD EPYC, 2026-11-24"
  double steps = 0;
  double trained = 64;        ///< tokens
  std::vector<double> floor;  ///< −ln p of the best that can be known
  std::vector<ChainRun> runs;

  /// The runners of which there are runs, in the order of training::runners().
  std::vector<const training::Runner*> runners() const;
  std::vector<const ChainRun*> of(std::string_view key) const;
};

/// "AMD EPYC, 2026-11-24; 3000 steps; 64 tokens; floor 2.0794 …; rope 1 0.01 …; …".
std::string text_of(const ChainResults&);
/// Throws InvalidArgument that names the parameter `results`.
ChainResults chain_results(std::string_view text);
/// Those that came with the program, made by `./dev race`: trained on 64 or on 512 tokens.
ChainResults shipped_chains(double trained);

}  // namespace orrery::study
