#include "app/language/pattern.h"

#include <algorithm>
#include <set>

#include "app/language/characters.h"

namespace orrery::language {
namespace {

/// A formula that is cut in two is none: dollar signs come in pairs, and what stands inside a formula holds none.
bool whole(std::string_view part, bool in_math) {
  const int dollars = count_dollars(part);
  return in_math ? dollars == 0 : dollars % 2 == 0;
}

}  // namespace

Pattern::Pattern(std::string_view text) : literals_(1) {
  bool math = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("\\$")) {
      literals_.back() += "\\$";
      ++i;
    } else if (rest.starts_with("{}")) {
      places_.push_back({.part = static_cast<int>(places_.size()),
                         .in_math = math,
                         .quoted = literals_.back().ends_with("\u201C"),
                         .valued = !places_.empty() && literals_.back() == " = "});
      literals_.emplace_back();
      ++i;
    } else if (!math && rest.size() > 2 && rest[0] == '{' && rest[1] >= '1' && rest[1] <= '9' &&
               rest[2] == '}') {
      places_.push_back({.part = rest[1] - '1', .quoted = literals_.back().ends_with("\u201C")});
      literals_.emplace_back();
      ++numbered_;
      i += 2;
    } else {
      if (rest[0] == '$') math = !math;
      literals_.back() += rest[0];
    }
  }
}

std::size_t Pattern::weight() const {
  std::size_t sum = 0;
  for (const std::string& literal : literals_) sum += literal.size();
  return sum;
}

bool Pattern::repeats() const {
  std::set<int> seen;
  return std::ranges::any_of(places_, [&](const Place& place) { return !seen.insert(place.part).second; });
}

bool Pattern::ambiguous() const {
  if (literals_.size() < 3) return false;
  return std::any_of(literals_.begin() + 1, literals_.end() - 1,
                     [](const std::string& s) { return s.empty(); });
}

bool Pattern::heading() const {
  return !places_.empty() && !literals_.front().empty() && literals_.back().empty() &&
         literals_[literals_.size() - 2].ends_with(": ");
}

std::optional<std::vector<std::string_view>> Pattern::match(std::string_view text) const {
  if (!text.starts_with(literals_.front()) || !text.ends_with(literals_.back())) return std::nullopt;
  if (places_.empty()) {
    if (text != literals_.front()) return std::nullopt;
    return std::vector<std::string_view>{};
  }
  std::vector<std::string_view> parts(places_.size());
  if (!match_from(text, literals_.front().size(), 0, parts)) return std::nullopt;
  return parts;
}

bool Pattern::match_from(std::string_view text, std::size_t at, std::size_t place,
                         std::vector<std::string_view>& parts) const {
  const std::string& next = literals_[place + 1];
  const bool math = places_[place].in_math;
  if (place + 1 == places_.size()) {
    if (text.size() < at + next.size() + 1) return false;
    parts[place] = text.substr(at, text.size() - next.size() - at);
    return whole(parts[place], math);
  }
  for (std::size_t end = text.find(next, at + 1); end != std::string_view::npos;
       end = text.find(next, end + 1)) {
    parts[place] = text.substr(at, end - at);
    if (whole(parts[place], math) && match_from(text, end + next.size(), place + 1, parts)) return true;
  }
  return false;
}

std::string Pattern::fill(std::span<const std::string> parts) const {
  std::string text = literals_.front();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto part = static_cast<std::size_t>(places_[i].part);
    join(text, part < parts.size() ? parts[part] : "{}");
    join(text, literals_[i + 1]);
  }
  return text;
}

}  // namespace orrery::language
