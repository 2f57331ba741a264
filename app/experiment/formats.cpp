#include "app/experiment/formats.h"

#include "app/experiment/declarations.h"

namespace orrery::experiment {
namespace {

using parameter::Parameter;

/// "positions=rope" → "`positions = rope`"
std::string condition_text(std::string_view condition) {
  std::string text;
  for (const char c : condition) {
    if (c == '|')
      text += " or ";
    else if (c == '=')
      text += " is ";
    else
      text += c;
  }
  return text;
}

std::string row_of(const Parameter& key) {
  std::string help(key.help);
  if (!key.unit.empty()) help += " (" + std::string(key.unit) + ")";
  if (!key.only_when.empty()) help += "; read where " + condition_text(key.only_when);
  const std::string fallback(key.fallback);
  return "| `" + std::string(key.name) + "` | " + (fallback.empty() ? std::string() : "`" + fallback + "`") +
         " | " + parameter::allowed_text(key) + " | " + help + " |\n";
}

}  // namespace

std::string formats_markdown() {
  std::string text;
  for (const Section& section : sections()) {
    text += "### `[" + std::string(section.name) + "]`: " + std::string(section.help) +
            "\n\n| key | default | allowed | what it is |\n|---|---|---|---|\n";
    for (const Parameter& key : section.keys) text += row_of(key);
    text += "\n";
  }
  return text;
}

}  // namespace orrery::experiment
