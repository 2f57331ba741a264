// Small readers of what was typed, shared by the commands. Each throws InvalidArgument that names the
// argument, what was found and what is allowed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"
#include "app/language/language.h"
#include "app/study/study.h"

namespace orrery::cli {

/// name=value, as --set takes it.
struct Assignment {
  std::string name, value;
};
Assignment parse_assignment(std::string_view text);
/// Throws InvalidArgument for a name that is there twice: neither of its values is more likely to be meant.
void refuse_repeated(std::string_view option, std::span<const std::string> names);
/// What is wrong with it is said of --set.
void set(parameter::Settings&, const Assignment&);
/// The option --set, which may be repeated; `offers`: of a study's parameters or of an op's.
Argument set_argument(std::vector<std::string>& values, Offers offers);

study::DeviceChoice parse_device(std::string_view text, std::string_view argument = "--device");

/// --lang, and what was given for it.
Argument language_argument(std::string& code, std::string_view what);
/// --lang of a command that says nothing but what is printed: speech.h has found it by then, and only a wrong one is refused.
Argument language_argument(std::string_view what = "of what is said here");
/// ": en English, zh 中文"
std::string language_names();
language::Language parse_language(std::string_view code);

double parse_number(std::string_view argument, std::string_view text, double min, double max);
/// The same of a whole number, which may be written as 1e5 too.
double parse_whole(std::string_view argument, std::string_view text, double min, double max);

/// The lower-case ending of a file name, ".pdf"; InvalidArgument when it is none of `allowed`.
std::string ending_among(std::string_view argument, const std::string& path,
                         std::span<const std::string_view> allowed);

/// Names that a shell offers.
std::vector<std::string> words_of(std::span<const std::string_view> names);

/// What may hold a recipe: .toml, and the figures.
std::vector<std::string> recipe_endings();

/// Throws InvalidArgument: "STUDY: missing; allowed: …" for an empty text.
void require(std::string_view argument, const std::string& text, const Phrase& allowed);

/// "a, b, c"
std::string joined(std::span<const std::string_view> words);

}  // namespace orrery::cli
