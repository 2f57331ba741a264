// Texts as bytes, for a language model whose tokens are the 256 bytes: no table of words, no other file.
//
// Read       one file, or the files of a folder one behind the other in the order of their names' bytes (links, which would say
//            a file twice, and folders in it are left out), so that the same files are the same text on every machine.
// Held out   the last share of it, in one piece: a model never sees it. Pieces from everywhere would lie between sentences that
//            it has seen; of texts that repeat each other, such as the versions of a licence, it would know them by heart.
// By default the licences that every Debian has in /usr/share/common-licenses, about 245 kB: a text that is always there, and
// one that small models soon know by heart. What is told of it is told by the part that is held out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/training/task.h"

namespace orrery::training {

/// What Debian's package base-files has.
inline constexpr const char* licences = "/usr/share/common-licenses";

struct Text {
  std::string origin;              ///< the path that was asked for
  std::vector<std::string> files;  ///< names, in the order of their bytes
  std::string bytes;
  std::size_t trained = 0;  ///< bytes of the part that is trained on; the others are held out

  std::string_view of_training() const { return std::string_view(bytes).substr(0, trained); }
  std::string_view held_out() const { return std::string_view(bytes).substr(trained); }
};

/// Throws Failure where there is no such file or folder, or nothing in it.
Text read_text(const std::filesystem::path&, double held_out = 0.1);

/// Each byte's next one. Batches of training begin anywhere in the part that is trained on.
struct TextTask {
  std::shared_ptr<const Text> text;
  Index length = 128, sequences = 16;

  static constexpr Index vocabulary() { return 256; }
  /// Of a sequence that has a byte behind it in both parts; 0 where a part has no two bytes.
  Index longest() const;
  /// Throws InvalidArgument where a part is shorter than a sequence and the byte behind it: of the shorter part.
  void check(Index tokens, std::string_view key = "length") const;

  Batch training(std::uint64_t seed, std::uint64_t step) const;
  /// Sequences that begin evenly apart in the part that is held out, the first with it and the last ending with it; the
  /// same for every seed. They lie over each other where there are more of them than fit.
  Batch of_length(Index tokens, Index sequences) const;
  /// Of `all` of these the `count` from the number `first` on, and no memory for the others.
  Batch part_of_length(Index tokens, Index all, Index first, Index count) const;
  /// Likewise of the part that is trained on: how much of it is known by heart.
  Batch trained_of_length(Index tokens, Index sequences) const;
};

/// −ln p, on the mean of the part that is held out, by how often each byte stands in the other one, each counted once more:
/// what is known without any context.
double loss_without_context(const Text&);

}  // namespace orrery::training
