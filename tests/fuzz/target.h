// What is fuzzed: for each kind of file that comes from anybody, one function of its bytes. It must end, with a result or
// with a Failure that says something; whatever else it throws is a finding, and so is what a sanitizer sees.
//
// The same functions are called by libFuzzer (fuzzer.cpp, ./dev fuzz), by the test of all inputs that are kept in corpus/, and
// by the test of how memory and time grow with a file (replay_test.cpp, grown_test.cpp).
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tensor/error.h"

namespace orrery::fuzz {

/// A file that can be as long as is wished: `unit` over and over between `before` and `after`; a # in the unit is its number.
/// `whole` adds what depends on the length, without which nobody would read on.
struct Growth {
  std::string before, unit, after;
  std::string (*whole)(std::string) = nullptr;
};

struct Target {
  std::string_view name;  ///< of its folder in corpus/
  void (*read)(std::string_view bytes);
  std::vector<Growth> growths;
};

/// Those of this program, in the order of their names.
std::vector<const Target*> targets();
/// nullptr: none of this name.
const Target* find_target(std::string_view name);

/// A constant of this kind in a target's file makes it one of the targets.
class Registered {
 public:
  explicit Registered(Target);

 private:
  friend std::vector<const Target*> targets();
  Target target_;
};

/// Throws std::runtime_error where a promise is broken.
inline void promise(bool kept, const char* what) {
  if (!kept) throw std::runtime_error(what);
}

/// Why something was refused, in the words of the last reader that did.
inline std::string last_refusal;
inline void note_refusal(std::string why) {
  promise(!why.empty(), "refused without a word");
  last_refusal = std::move(why);
}

/// Reads; a refusal must say why.
template <typename Reader>
void or_refuse(const Reader& read) {
  try {
    read();
  } catch (const Failure& refusal) {
    note_refusal(refusal.what());
  } catch (const InvalidArgument& refusal) {
    note_refusal(refusal.what());
  }
}

}  // namespace orrery::fuzz
