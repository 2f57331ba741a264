// Small readers of what was typed, shared by the commands. Each throws InvalidArgument that names the
// argument, what was found and what is allowed.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/language/language.h"
#include "app/study/study.h"

namespace orrery::cli {

/// name=value, as --set takes it.
struct Assignment {
  std::string name, value;
};
Assignment parse_assignment(std::string_view text);
/// An option that may be repeated and takes one value each time, so that what stands behind it is left alone.
CLI::Option* add_set(CLI::App&, std::vector<std::string>& values);

study::DeviceChoice parse_device(std::string_view text, std::string_view argument = "--device");
std::string_view name(study::DeviceChoice);

/// --lang, and what was given for it.
CLI::Option* add_language(CLI::App&, std::string& code, std::string_view what);
language::Language parse_language(std::string_view code);

double parse_number(std::string_view argument, std::string_view text, double min, double max);

/// The lower-case ending of a file name, ".pdf"; InvalidArgument when it is none of `allowed`.
std::string ending_among(std::string_view argument, const std::string& path,
                         std::span<const std::string_view> allowed);

/// Throws InvalidArgument: "STUDY: missing; allowed: …" for an empty text.
void require(std::string_view argument, const std::string& text, std::string_view allowed);

/// "a, b, c"
std::string joined(std::span<const std::string_view> words);

}  // namespace orrery::cli
