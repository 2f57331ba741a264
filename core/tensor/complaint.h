// An error as data: what it is about, what was found, what is wrong with that, what is allowed, and which names were
// probably meant. Whoever refuses something says these parts; the sentence is made of them once, at the edge: in English by
// `english` below, in other languages by app/language/error.h, as JSON by app/cli/error_json.h.
//
//   throw InvalidArgument(about("max_distance").found(5).allowed("above {}, where the buckets begin to widen", 8));
//   max_distance: found 5; allowed: above 8, where the buckets begin to widen
//
// On the way to a person others may say where it happened, and add nothing else: within(in_file("r.toml", 3, 8)).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace orrery {

/// Words with a place {} for each of its parts.
struct Phrase {
  enum class Kind : std::uint8_t {
    words,    ///< ours: the whole pattern is a key of the tables of other languages
    foreign,  ///< a library's: "No space left on device"
    name      ///< as it is typed or stands in a file; a number: the same in every language
  };
  std::string text{};
  Kind kind = Kind::words;
  std::vector<Phrase> parts{};

  bool empty() const { return text.empty(); }
  bool operator==(const Phrase&) const = default;
};

Phrase name_phrase(std::string_view);
Phrase foreign(std::string_view);

/// What may stand at a place: a phrase, else a name or a whole number. How many digits of a real number are worth reading is
/// for the caller to say.
inline const Phrase& part(const Phrase& phrase) {
  return phrase;
}
inline Phrase part(std::string_view name) {
  return name_phrase(name);
}
inline Phrase part(std::integral auto n) {
  return name_phrase(std::to_string(n));
}
Phrase part(char) = delete;

/// A pattern with as many places as there are parts, checked by the compiler. It is a literal, so that all of them can be
/// looked for in the sources: a test asks the tables of other languages for each.
template <class... Parts>
struct Words {
  consteval Words(const char* literal) : text(literal) {
    std::size_t places = 0;
    for (std::size_t at = 0; (at = text.find("{}", at)) != std::string_view::npos; at += 2) ++places;
    if (places != sizeof...(Parts)) throw "as many places {} as parts";
  }
  std::string_view text;
};

/// Of a literal: words("a number from {} to {}", "1", "1e9").
template <class... Parts>
Phrase words(std::type_identity_t<Words<Parts...>> pattern, const Parts&... parts) {
  return {std::string(pattern.text), Phrase::Kind::words, {part(parts)...}};
}

/// "a, b, c": names, as they are typed.
Phrase names_phrase(std::span<const std::string_view> names);

/// 'text'
std::string in_apostrophes(std::string_view text);

/// What an error is about.
struct Subject {
  enum class Kind : std::uint8_t {
    parameter,  ///< of a study or an op, by its name
    input,      ///< an array of an op
    option,     ///< of the command line: "--size"; a word that it wants: "STUDY"
    variable,   ///< of the environment
    file,       ///< with a place in it where line is not 0, and column perhaps
    key,        ///< of a file: "rope_scaling.factor"
    study,
    op,
    command,
    device,
    side,  ///< of two that are compared: A
    thing  ///< anything else, in words
  };
  Kind kind = Kind::parameter;
  Phrase name{};
  std::size_t line = 0, column = 0;

  bool operator==(const Subject&) const = default;
};

/// "parameter", "input" …: the key of a subject in JSON.
std::string_view kind_name(Subject::Kind);

class Complaint {
 public:
  Complaint() = default;
  explicit Complaint(Subject subject) : subject_{std::move(subject)} {}

  /// From the outermost to what is wrong itself: a place in a file, then a parameter.
  const std::vector<Subject>& subject() const { return subject_; }
  const std::string& found() const {
    return found_;
  }                                               ///< as it was typed or stands there; empty: nothing to show
  const Phrase& fault() const { return fault_; }  ///< empty: `allowed` says it all
  const Phrase& allowed() const { return allowed_; }  ///< empty: nothing to say
  const std::string& lead() const { return lead_; }   ///< what stands before `allowed`, in words
  const std::vector<std::string>& nearest() const { return nearest_; }  ///< of the known names
  bool empty() const { return subject_.empty() && fault_.empty() && allowed_.empty(); }
  /// Whether the outermost subject is this.
  bool begins_with(Subject::Kind, std::string_view name) const;
  bool operator==(const Complaint&) const = default;

  // Each says one part. What was found stands in the fault, "found {}", until another is said.
  Complaint& found(std::string_view text) &;
  Complaint& found(std::integral auto n) & { return found(std::string_view(std::to_string(n))); }
  Complaint& found_text(std::string_view text) &;  ///< "found '{}'": what a person typed
  template <class... Parts>
  Complaint& fault(std::type_identity_t<Words<Parts...>> pattern, const Parts&... parts) & {
    fault_ = words<Parts...>(pattern, parts...);
    return *this;
  }
  Complaint& fault(Phrase) &;
  template <class... Parts>
  Complaint& allowed(std::type_identity_t<Words<Parts...>> pattern, const Parts&... parts) & {
    allowed_ = words<Parts...>(pattern, parts...);
    return *this;
  }
  Complaint& allowed(Phrase) &;
  Complaint& allowed(std::span<const std::string_view> names) & { return allowed(names_phrase(names)); }
  /// In place of "; allowed: ".
  Complaint& led_by(Words<> lead) &;
  Complaint& near(std::vector<std::string> names) &;

  // The same for one that is being made.
  template <class... Args>
  Complaint&& found(const Args&... args) && {
    return std::move(found(args...));
  }
  Complaint&& found_text(std::string_view text) && { return std::move(found_text(text)); }
  template <class... Parts>
  Complaint&& fault(std::type_identity_t<Words<Parts...>> pattern, const Parts&... parts) && {
    return std::move(fault<Parts...>(pattern, parts...));
  }
  Complaint&& fault(Phrase phrase) && { return std::move(fault(std::move(phrase))); }
  template <class... Parts>
  Complaint&& allowed(std::type_identity_t<Words<Parts...>> pattern, const Parts&... parts) && {
    return std::move(allowed<Parts...>(pattern, parts...));
  }
  Complaint&& allowed(Phrase phrase) && { return std::move(allowed(std::move(phrase))); }
  Complaint&& allowed(std::span<const std::string_view> names) && { return std::move(allowed(names)); }
  Complaint&& led_by(Words<> lead) && { return std::move(led_by(lead)); }
  Complaint&& near(std::vector<std::string> names) && { return std::move(near(std::move(names))); }

  /// The same, and where it happened.
  Complaint within(Subject outer) const;
  /// Without the outermost subject, for where that is seen anyway: beside its field.
  Complaint inner() const;

 private:
  std::vector<Subject> subject_;
  std::string found_;
  Phrase fault_, allowed_;
  std::string lead_;
  std::vector<std::string> nearest_;
};

/// About a parameter, by its name.
Complaint about(std::string_view parameter);
Complaint about(Subject::Kind, std::string_view name);
/// An option of the command line where it begins with a dash, else a key of a file.
Complaint about_argument(std::string_view);

/// About anything, in words: about(words("softmax temperature")).
Complaint about(Phrase thing);
/// What is wrong, where the caller will say with what.
template <class... Parts>
Complaint wrong(std::type_identity_t<Words<Parts...>> fault, const Parts&... parts) {
  return Complaint().fault<Parts...>(fault, parts...);
}
Subject in_file(std::string_view file, std::size_t line = 0, std::size_t column = 0);

/// One line: "r.toml:3:8: base: '0' is out of range; allowed: a number from 1 to 1e9".
std::string english(const Complaint&);
std::string english(const Phrase&);

/// What an exception that carries its complaint is besides its type.
class Complaining {
 public:
  const Complaint& complaint() const noexcept { return *complaint_; }

 protected:
  explicit Complaining(Complaint complaint)
      : complaint_(std::make_shared<const Complaint>(std::move(complaint))) {}

 private:
  std::shared_ptr<const Complaint> complaint_;  // exceptions are copied, and copying must not throw
};

/// Of any exception: what it carries, or what it says.
Complaint complaint_of(const std::exception&);

}  // namespace orrery
