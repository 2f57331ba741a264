// What a shell may offer for a line that is not finished, by the table of commands. The scripts of `orrery completions` ask
// for it as `orrery __complete WORD…`, so that every shell offers the same, and what is saved in the window too.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"

namespace orrery::cli {

/// The first word of such a question; people never type it.
inline constexpr std::string_view offers_word = "__complete";

struct Offered {
  struct Word {
    std::string text;  ///< the whole word; one that ends in = goes on without a space
    std::string help;  ///< one line, or nothing
  };
  std::vector<Word> words;
  std::optional<std::vector<std::string>> files;  ///< with one of these endings; any when there are none
  bool folder = false;
};

/// `words` stand behind the program's name; the last is the one to be completed, begun or empty. Never throws for what was
/// typed: then there is nothing to offer.
Offered offered(const Command& window, std::span<const Command>, const std::vector<std::string>& words);

/// A line each: "WORD\tHELP", then ":files\t.ending .ending" or ":folder".
std::string offers_text(const Offered&);

}  // namespace orrery::cli
