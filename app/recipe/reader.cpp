#include "app/recipe/reader.h"

#include <algorithm>
#include <charconv>

#include "app/language/deep_name.h"
#include "core/parameter/shown.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"
#include "core/tensor/text_stream.h"

namespace orrery::recipe {
namespace {

toml::source_position position_of(std::string_view text, std::size_t i) {
  const std::string_view before = text.substr(0, i);
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 on the first line
  return {static_cast<toml::source_index>(1 + std::ranges::count(before, '\n')),
          static_cast<toml::source_index>(i - line_start + 1)};
}

/// "2" in quotes is one, which looks like what is allowed.
bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string in_quotes(std::string_view text) {
  static constexpr char hex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out.append("\\u00").append({hex[byte >> 4], hex[byte & 15]});
    } else if (const auto rest = text.substr(i);
               rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
      out += rest[2] == '\xBE' ? "\\uFFFE" : "\\uFFFF";  // no XML may hold them
      i += 2;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

RecipeReader::RecipeReader(std::string_view text, std::string_view origin) : origin_(origin) {
  if (const auto deep = language::deep_name(text))
    fail(position_of(text, *deep), wrong("a name of more than {} parts", language::most_name_parts));
  try {
    root_ = toml::parse(text);
  } catch (const toml::parse_error& error) {
    fail(error.source().begin, Complaint().fault(foreign(error.description())));
  }
}

void RecipeReader::fail(const toml::source_position& at, const Complaint& what) const {
  throw Failure(what.within(in_file(origin_, at.line, at.column)));
}

void RecipeReader::fail(const toml::node& at, const Complaint& what) const {
  fail(at.source().begin, what);
}

void RecipeReader::refuse(const toml::node& at, std::string_view key, const Allowed& allowed,
                          Subject::Kind kind) const {
  Complaint complaint = about(kind, key).allowed(allowed.phrase);
  const std::string text = found(at);
  if (const auto* words = at.as_string(); words && is_number(words->get()))
    fail(at, complaint.found(text).fault("{} is a text", in_quotes(parameter::brief(words->get()))));
  fail(at, text.empty() ? complaint.fault("found something else") : complaint.found(text));
}

void RecipeReader::only(const toml::table& table, std::span<const std::string_view> known) const {
  for (const auto& [key, node] : table) {
    if (std::ranges::find(known, key.str()) != known.end()) continue;
    fail(key.source().begin, parameter::unknown({}, key.str(), known)
                                 .fault("{} is not known here", in_apostrophes(parameter::brief(key.str())))
                                 .led_by("; known: "));
  }
}

std::optional<double> RecipeReader::number(const toml::table& table, std::string_view key, double least,
                                           double most, const Allowed& allowed) const {
  const toml::node* node = table.get(key);
  if (!node) return std::nullopt;
  const auto value = number_in(*node);
  if (!value || !(*value >= least && *value <= most)) refuse(*node, key, allowed);
  return value;
}

std::optional<std::string> RecipeReader::choice(const toml::table& table, std::string_view key,
                                                std::span<const std::string_view> allowed) const {
  const auto* text = get<std::string>(table, key, names_phrase(allowed));
  if (!text) return std::nullopt;
  if (std::ranges::find(allowed, *text) == allowed.end()) {
    fail(*table.get(key), parameter::unknown(about(Subject::Kind::key, key), *text, allowed)
                              .fault("found {}", in_quotes(parameter::brief(*text))));
  }
  return *text;
}

std::string RecipeReader::found(const toml::node& node) {
  if (node.is_table() || node.is_array()) {
    // Only a short one is worth its words, and a huge one would be printed whole to see that.
    const std::size_t parts = node.is_table() ? node.as_table()->size() : node.as_array()->size();
    if (parts > 8) return {};
  }
  tensor::TextWriter out;
  node.visit([&](const auto& n) { out << n; });
  const std::string text = out.str();
  return text.size() > 54 || text.find('\n') != std::string::npos ? std::string() : text;
}

std::optional<double> number_in(const toml::node& node) {
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* whole = node.as_integer()) return static_cast<double>(whole->get());
  return std::nullopt;
}

}  // namespace orrery::recipe
