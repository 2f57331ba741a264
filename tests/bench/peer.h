// A contender of compare.py: a program that knows some ops at some shapes and, asked on its standard input, loads
// one on arrays of its own, shows a few of its results, and times it.
//
//   load softmax 4096×4096   →   values 0.1 … (16 of them)   or   none
//   time                     →   ms 2.4 [0.9]                of the case loaded last
//   list                     →   cases softmax 4096×4096|…   of what it has, where it can say
//   version                  →   version oneDNN 2.6.3
//
// All contenders fill their inputs by the same formula, as far from 0 as the environment variable ORRERY_SPREAD says (3), so
// equal values mean that the same thing is timed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace orrery::peer {

/// One op at one shape on arrays that already exist.
struct Contest {
  std::vector<std::span<float>> inputs;  ///< filled by the common formula before the first call
  std::span<const float> output;
  std::function<void()> call;
  /// Milliseconds of one call, and, where it is known, the fraction of the machine's limit that it reached.
  /// Empty: the mean over calls that together last 20 ms.
  std::function<std::pair<double, double>()> time{};
  std::shared_ptr<void> arrays{};  ///< keeps what the spans point to
};

/// Gives the contest by its name ("softmax 4096×4096"), nothing when this contender has no such op.
using Loader = std::function<std::optional<Contest>(const std::string& name)>;

/// Answers until the input ends. The exit status of the program.
int serve(const std::string& version, const Loader&, const std::vector<std::string>& names = {});

}  // namespace orrery::peer
