// A command as data: its words, what may stand behind it and what that sets, and how it looks in use. From this one table
// come the reading of what was typed (parse.cpp), --help, the complaints about a wrong word, what a shell completes
// (offers.cpp) and the man page.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/tensor/complaint.h"

namespace orrery::cli {

/// What a shell may offer where a value stands.
struct Offers {
  enum class Kind : std::uint8_t {
    nothing,  ///< a number, a name of one's own
    words,    ///< one of `words`
    list,     ///< several of `words`, with commas
    files,    ///< a file with an ending among `words`; any when there are none
    folder,
    // What follows depends on the study or the op that was typed before it.
    study,      ///< an id, or a file with a recipe
    setting,    ///< name=value of a parameter, by its declaration
    motion,     ///< name= of a parameter that is a number
    changes,    ///< what --compare takes: name=value, or a study
    preset,     ///< of the study
    op,         ///< a name
    operation,  ///< an op's array or a name=value
  };
  Kind kind = Kind::nothing;
  std::vector<std::string> words{};

  Offers(Kind k = Kind::nothing) : kind(k) {}  // NOLINT(google-explicit-constructor): a table reads better
  Offers(Kind k, std::vector<std::string> w) : kind(k), words(std::move(w)) {}
};

/// An option or, without a dash, a word that is known by its place. Values are kept as they were typed: each command reads
/// them itself and says what is allowed.
struct Argument {
  std::string names;  ///< "-o,--output", "--size"; by its place: "STUDY"
  /// A flag; what stands behind it; of an option that may be repeated, or of all words that are left, each.
  std::variant<bool*, std::string*, std::vector<std::string>*> sets;
  std::string shape;  ///< of its value, in --help: "W×H"; of a flag and of a word by its place: empty
  std::string help;
  Offers offers{};
  /// Of one value: what is wrong with it, or nothing. Asked at once, before a forgotten value swallows the option behind it and
  /// the complaint is about something else.
  std::function<Complaint(const std::string&)> fault{};
  std::string group{};  ///< what it is listed under in --help; empty: with the other options

  bool is_option() const { return names.starts_with('-'); }
  bool is_flag() const { return std::holds_alternative<bool*>(sets); }
  bool is_repeated() const { return std::holds_alternative<std::vector<std::string>*>(sets); }
  /// "-o", "--output".
  std::vector<std::string_view> spellings() const;
};

/// What a command does, once its arguments are set; it throws what went wrong. 0 unless it has an exit code of its own.
class Run {
 public:
  template <class Work>
  Run(Work work) {  // NOLINT(google-explicit-constructor): a lambda in a table
    if constexpr (std::is_void_v<decltype(work())>)
      work_ = [work] { return work(), 0; };
    else
      work_ = work;
  }
  int operator()() const { return work_(); }

 private:
  std::function<int()> work_;
};

/// A line to copy, and what it does.
struct Example {
  std::string_view line, what;
};

struct Command {
  std::string name;  ///< as typed; of the window: empty
  std::string help;
  std::vector<Argument> arguments;
  Run run;
  std::vector<Example> examples{};
};

}  // namespace orrery::cli
