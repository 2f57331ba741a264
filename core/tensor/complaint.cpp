#include "core/tensor/complaint.h"

#include <algorithm>
#include <array>
#include <new>
#include <system_error>
#include <utility>

#include "core/tensor/complaint_words.h"

namespace orrery {
namespace {

std::string joined(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view each : names) text += (text.empty() ? "" : ", ") + std::string(each);
  return text;
}

std::string place(const Subject& subject) {
  if (subject.line == 0) return {};
  const std::string line = ":" + std::to_string(subject.line);
  return subject.column == 0 ? line : line + ":" + std::to_string(subject.column);
}

/// "did you mean" for one name; several are a list.
Phrase nearest_phrase(const std::vector<std::string>& names) {
  if (names.size() == 1) return words(" (did you mean {}?)", in_apostrophes(names.front()));
  const std::vector<std::string_view> views(names.begin(), names.end());
  return words("; nearest: {}", joined(views));
}

}  // namespace

Phrase name_phrase(std::string_view text) {
  return {std::string(text), Phrase::Kind::name, {}};
}

Phrase foreign(std::string_view text) {
  return {std::string(text), Phrase::Kind::foreign, {}};
}

Phrase names_phrase(std::span<const std::string_view> names) {
  return name_phrase(joined(names));
}

std::string in_apostrophes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string_view kind_name(Subject::Kind kind) {
  constexpr std::array<std::string_view, 12> names{"parameter", "input",  "option", "variable",
                                                   "file",      "key",    "study",  "op",
                                                   "command",   "device", "side",   "thing"};
  return names.at(static_cast<std::size_t>(kind));
}

bool Complaint::begins_with(Subject::Kind kind, std::string_view name) const {
  return !subject_.empty() && subject_.front().kind == kind && subject_.front().name.text == name;
}

Complaint& Complaint::found(std::string_view text) & {
  found_ = text;
  return fault("found {}", text);
}

Complaint& Complaint::found_text(std::string_view text) & {
  found_ = text;
  return fault("found {}", in_apostrophes(text));
}

Complaint& Complaint::fault(Phrase phrase) & {
  fault_ = std::move(phrase);
  return *this;
}

Complaint& Complaint::allowed(Phrase phrase) & {
  allowed_ = std::move(phrase);
  return *this;
}

Complaint& Complaint::led_by(Words<> lead) & {
  lead_ = lead.text;
  return *this;
}

Complaint& Complaint::near(std::vector<std::string> names) & {
  nearest_ = std::move(names);
  return *this;
}

Complaint Complaint::within(Subject outer) const {
  Complaint all = *this;
  all.subject_.insert(all.subject_.begin(), std::move(outer));
  return all;
}

Complaint Complaint::inner() const {
  Complaint rest = *this;
  if (!rest.subject_.empty()) rest.subject_.erase(rest.subject_.begin());
  return rest;
}

Complaint about(std::string_view parameter) {
  return about(Subject::Kind::parameter, parameter);
}

Complaint about(Subject::Kind kind, std::string_view name) {
  return Complaint({.kind = kind, .name = name_phrase(name)});
}

Complaint about_argument(std::string_view argument) {
  return about(argument.starts_with('-') ? Subject::Kind::option : Subject::Kind::key, argument);
}

Complaint about(Phrase thing) {
  return Complaint({.kind = Subject::Kind::thing, .name = std::move(thing)});
}

Subject in_file(std::string_view file, std::size_t line, std::size_t column) {
  return {.kind = Subject::Kind::file, .name = name_phrase(file), .line = line, .column = column};
}

std::string filled(std::string_view pattern, std::span<const std::string> parts) {
  std::string text;
  std::size_t from = 0;
  for (const std::string& each : parts) {
    const std::size_t at = std::min(pattern.find("{}", from), pattern.size());
    text.append(pattern.substr(from, at - from)).append(each);
    from = std::min(at + 2, pattern.size());
  }
  return text.append(pattern.substr(from));
}

std::string in_words(const Phrase& phrase, const Say& say) {
  if (phrase.kind == Phrase::Kind::name) return phrase.text;
  std::vector<std::string> parts;
  for (const Phrase& each : phrase.parts) parts.push_back(in_words(each, say));
  return say(phrase, parts);
}

Phrase sentence(const Complaint& complaint) {
  std::vector<Phrase> parts;
  const std::vector<Subject>& subjects = complaint.subject();
  for (const Subject& subject : subjects) {
    parts.push_back(subject.name);
    if (subject.line > 0) parts.push_back(name_phrase(place(subject)));
    // "--set base": an option whose value names a parameter and says what it becomes.
    const bool names_next =
        subject.kind == Subject::Kind::option && subject.name.text == "--set" && &subject != &subjects.back();
    parts.push_back(names_next ? name_phrase(" ") : words(": "));
  }
  if (!complaint.fault().empty()) parts.push_back(complaint.fault());
  if (!complaint.nearest().empty()) parts.push_back(nearest_phrase(complaint.nearest()));
  if (!complaint.lead().empty())
    parts.push_back({complaint.lead(), Phrase::Kind::words, {}});
  else if (!complaint.allowed().empty())
    parts.push_back(complaint.fault().empty() ? words("allowed: ") : words("; allowed: "));
  if (!complaint.allowed().empty()) parts.push_back(complaint.allowed());
  std::string pattern;
  for (std::size_t i = 0; i < parts.size(); ++i) pattern += "{}";
  return {std::move(pattern), Phrase::Kind::words, std::move(parts)};
}

std::string in_words(const Complaint& complaint, const Say& say) {
  return in_words(sentence(complaint), say);
}

std::string english(const Phrase& phrase) {
  return in_words(phrase,
                  [](const Phrase& p, std::span<const std::string> parts) { return filled(p.text, parts); });
}

std::string english(const Complaint& complaint) {
  return in_words(complaint,
                  [](const Phrase& p, std::span<const std::string> parts) { return filled(p.text, parts); });
}

Complaint complaint_of(const std::exception& error) {
  if (const auto* said = dynamic_cast<const Complaining*>(&error)) return said->complaint();
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return Complaint().fault("out of memory");
  if (const auto* system = dynamic_cast<const std::system_error*>(&error);
      system != nullptr && system->code() == std::errc::resource_unavailable_try_again)
    return Complaint(
        wrong("no further thread could be started").allowed("with a higher limit of processes (ulimit -u)"));
  return Complaint().fault(foreign(error.what()));
}

}  // namespace orrery
