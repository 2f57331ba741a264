// What the commands say to people, in the language that was asked for: --lang of any command, before or behind its name.
// Every sentence that is printed goes through here, and so do errors and warnings. What programs read (--json, CSV, a recipe,
// Markdown for the README) is English whatever was asked for; names stay as they are typed.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "app/language/language.h"
#include "core/tensor/complaint.h"

namespace orrery::cli {

/// Found before any word is read, so that an error in the words themselves is said in it too. English with --json, and where
/// no language is named that is known.
language::Language language_asked_for(int argc, const char* const* argv);

/// What is said from now on is said in this language.
void speak(language::Language);
language::Language spoken();

std::string say(const Phrase&);
/// One line; English where the tables themselves are what is wrong.
std::string say(const Complaint&);

/// say("{} tokens", n): the pattern is a literal, and a test asks the tables of every language for it.
template <class... Parts>
std::string say(std::type_identity_t<Words<Parts...>> pattern, const Parts&... parts) {
  return say(words<Parts...>(pattern, parts...));
}

/// English that was written elsewhere: a summary, the help of a parameter, what a file leaves out.
std::string translated(std::string_view english);

}  // namespace orrery::cli
