// The words of one language: a table from English, the language that the program is written in.
//
// A key may be a pattern ("position {}"): its captured parts are looked up in their turn, so that a captured word is
// translated too. The whole text is tried first, then the pattern that says most of it (a heading, "A: {}", before one that
// begins with a place), then each line of several.
// TeX between dollar signs stays as it is. A name that is the same in every language stands in the table as itself
// ("RoPE" = "RoPE").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/language/pattern.h"

namespace orrery::language {

struct Entry {
  std::string english, said;
  std::string origin;  ///< "zh/interface.toml:12"
  bool whole = false;  ///< a pattern that is asked for by itself: no text is matched with it
};

class Dictionary {
 public:
  Dictionary() = default;
  explicit Dictionary(std::vector<Entry>);

  const std::vector<Entry>& entries() const { return entries_; }
  /// What the table says for exactly this key; a pattern's key is found with its places.
  const std::string* exact(std::string_view english) const;
  std::optional<std::string> find(std::string_view english) const;
  /// The text itself where the table has no words for it.
  std::string translate(std::string_view english) const;
  /// A word where it means something else than it does elsewhere: the table has a line of its own for it behind what it
  /// stands in, "Filled: left" or "size: column". Without such a line it is said as everywhere. What "Filled = left" sets
  /// is said so by itself.
  std::string in_context(std::string_view context, std::string_view word) const;
  /// The pieces of a text that a translator still has to say: none, the whole, or what stands at the places of a
  /// pattern. Numbers, formulas, single letters and names need no words.
  std::vector<std::string> missing(std::string_view english) const;

 private:
  struct Known {
    Pattern english, said;
    std::size_t entry = 0;
  };
  struct Match {
    const Known* pattern = nullptr;
    std::vector<std::string_view> parts;
  };
  std::optional<Match> match(std::string_view english) const;
  bool needs_words(std::string_view english) const;

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> by_key_;
  std::vector<Known> patterns_;  // the one that says most first
};

}  // namespace orrery::language
