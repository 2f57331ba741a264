#include "app/cli/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/export/export.h"
#include "app/study/device_names.h"
#include "core/parameter/parameter.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using study::device_names;

/// Empty when it is name=value.
Complaint fault_of_assignment(std::string_view text) {
  const auto equals = text.find('=');
  if (equals != std::string_view::npos && equals > 0) return {};
  return Complaint().found_text(text).allowed("name=value");
}

/// Empty when it is the code of one.
Complaint fault_of_language(std::string_view code) {
  std::vector<std::string_view> known;
  for (const language::Named& each : language::languages()) known.push_back(each.code);
  if (std::ranges::find(known, code) != known.end()) return {};
  return Complaint().found_text(code).allowed(known);
}

std::optional<double> number_within(std::string_view text, double min, double max) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool read = error == std::errc() && end == text.data() + text.size();
  return read && value >= min && value <= max ? std::optional(value) : std::nullopt;
}

}  // namespace

Assignment parse_assignment(std::string_view text) {
  if (const Complaint fault = fault_of_assignment(text); !fault.empty())
    throw InvalidArgument(fault.within({Subject::Kind::option, name_phrase("--set")}));
  const auto equals = text.find('=');
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

void refuse_repeated(std::string_view option, std::span<const std::string> names) {
  for (const std::string& name : names) {
    const auto count = std::ranges::count(names, name);
    if (count == 1) continue;
    throw InvalidArgument(about(name)
                              .found(count)
                              .fault("given {} times", count)
                              .allowed("once")
                              .within({Subject::Kind::option, name_phrase(option)}));
  }
}

void set(parameter::Settings& settings, const Assignment& a) {
  try {
    settings.set(a.name, a.value);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(error.complaint().within({Subject::Kind::option, name_phrase("--set")}));
  }
}

Argument set_argument(std::vector<std::string>& values, Offers offers) {
  return {"--set",
          &values,
          "NAME=VALUE",
          "a parameter, as name=value; may be repeated. Numbers: 2^16, pi/4, 500 000, 8k (8000), 8Ki (8192)",
          std::move(offers),
          [](const std::string& text) { return fault_of_assignment(text); }};
}

study::DeviceChoice parse_device(std::string_view text, std::string_view argument) {
  const auto* const found = std::ranges::find(device_names, text);
  if (found == device_names.end()) {
    throw InvalidArgument(parameter::unknown(about_argument(argument), text, device_names));
  }
  return static_cast<study::DeviceChoice>(found - device_names.begin());
}

std::string language_names() {
  std::string text;
  for (const language::Named& each : language::languages())
    text += (text.empty() ? ": " : ", ") + std::string(each.code) + " " + std::string(each.own_name);
  return text;
}

Argument language_argument(std::string& code, std::string_view what) {
  std::vector<std::string> codes;
  for (const language::Named& each : language::languages()) codes.emplace_back(each.code);
  return {"--lang", &code, "CODE", std::string(what) + language_names(), {Offers::Kind::words, codes}};
}

Argument language_argument(std::string_view what) {
  static std::string heard;
  Argument argument = language_argument(heard, what);
  argument.fault = [](const std::string& code) { return fault_of_language(code); };
  return argument;
}

language::Language parse_language(std::string_view code) {
  if (const Complaint fault = fault_of_language(code); !fault.empty())
    throw InvalidArgument(fault.within({Subject::Kind::option, name_phrase("--lang")}));
  return language::language_of(code);
}

double parse_number(std::string_view argument, std::string_view text, double min, double max) {
  if (const auto value = number_within(text, min, max)) return *value;
  throw InvalidArgument(about_argument(argument).found_text(text).allowed(
      "a number from {} to {}", parameter::shortest(min), parameter::shortest(max)));
}

double parse_whole(std::string_view argument, std::string_view text, double min, double max) {
  if (const auto value = number_within(text, min, max); value && std::floor(*value) == *value) return *value;
  throw InvalidArgument(about_argument(argument).found_text(text).allowed(
      "a whole number from {} to {}", parameter::shortest(min), parameter::shortest(max)));
}

std::string ending_among(std::string_view argument, const std::string& path,
                         std::span<const std::string_view> allowed) {
  std::string ending = exporter::ending_of(path);
  if (std::ranges::find(allowed, ending) == allowed.end()) {
    throw InvalidArgument(parameter::unknown(about_argument(argument), ending, allowed)
                              .fault("{} ends in {}", in_apostrophes(path), in_apostrophes(ending)));
  }
  return ending;
}

std::vector<std::string> words_of(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

std::vector<std::string> recipe_endings() {
  std::vector<std::string> endings = words_of(exporter::figure_endings());
  endings.insert(endings.end(), {".toml", std::string(exporter::animation_ending)});
  return endings;
}

void require(std::string_view argument, const std::string& text, const Phrase& allowed) {
  if (text.empty())
    throw InvalidArgument(about(Subject::Kind::option, argument).fault("missing").allowed(allowed));
}

std::string joined(std::span<const std::string_view> words) {
  std::string out;
  for (const std::string_view word : words) out += (out.empty() ? "" : ", ") + std::string(word);
  return out;
}

}  // namespace orrery::cli
