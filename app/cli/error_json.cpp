#include "app/cli/error_json.h"

#include <nlohmann/json.hpp>

#include "app/cli/print.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

/// A file is named within words where they say what was to be done with it: "cannot write {}".
std::string named(const Subject& subject) {
  const bool within = subject.kind == Subject::Kind::file && !subject.name.parts.empty();
  return english(within ? subject.name.parts.front() : subject.name);
}

ordered_json subject_json(const std::vector<Subject>& subjects) {
  ordered_json all = ordered_json::object();
  for (const Subject& subject : subjects) {
    all[std::string(kind_name(subject.kind))] = named(subject);
    if (subject.line > 0) all["line"] = subject.line;
    if (subject.column > 0) all["column"] = subject.column;
  }
  return all;
}

}  // namespace

std::string error_json(const Complaint& complaint) {
  const ordered_json parts{{"subject", subject_json(complaint.subject())},
                           {"found", text_or_null(complaint.found())},
                           {"fault", text_or_null(english(complaint.fault()))},
                           {"allowed", text_or_null(english(complaint.allowed()))},
                           {"nearest", complaint.nearest()},
                           {"text", single_line(english(complaint))}};
  return ordered_json{{"error", parts}}.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace orrery::cli
