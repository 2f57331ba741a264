// What the commands print: aligned text for people, JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::cli {

/// Lines of cells; a column is as wide as its widest cell. Columns named in `right` are aligned to the right.
class TextTable {
 public:
  explicit TextTable(std::string indent = "", std::vector<std::size_t> right = {})
      : indent_(std::move(indent)), right_(std::move(right)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;

 private:
  std::string indent_;
  std::vector<std::size_t> right_;
  std::vector<std::vector<std::string>> rows_;
};

/// Six significant digits, for people; programs get all of them.
std::string short_number(double x);
/// NaN and infinities, which JSON has no word for, are null.
void print_json(const nlohmann::ordered_json&);
/// To stdout, what could command a terminal as escapes; throws Failure when it cannot be written (a full disk behind a
/// redirection).
void print(std::string_view text);
/// "orrery: warning: …" on stderr.
void warn(std::string_view text);
/// One line whatever was in it, and not longer than a page.
std::string single_line(std::string_view text);

}  // namespace orrery::cli
