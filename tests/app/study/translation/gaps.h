// What the tables of a language do not say yet, as lines that a translator can fill in.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "app/language/dictionary.h"

namespace orrery::study {

class Gaps {
 public:
  explicit Gaps(const language::Dictionary& dictionary) : dictionary_(dictionary) {}

  /// Keeps what of this text has no words.
  void look_at(std::string_view english);
  bool empty() const { return lines_.empty(); }
  /// As TOML: `"English" = ""`, numbers as places, each with a text that needs it.
  std::string toml() const;

 private:
  const language::Dictionary& dictionary_;
  std::map<std::string, std::string> lines_;  // a key that would do → where it was needed
};

}  // namespace orrery::study
