#include "core/model/longest_length.h"

#include <algorithm>

#include "core/model/class_defaults.h"
#include "core/position/rope_rules.h"

namespace orrery::model {

LongestLength longest_length(Fields& top, const ClassDefaults* defaults) {
  const auto tokens = top.number(longest_keys);
  if (!tokens) return {.tokens = defaults != nullptr ? defaults->longest : 0, .key = {}};
  const std::string_view key =
      *std::ranges::find_if(longest_keys, [&](std::string_view each) { return top.has(each); });
  if (!(*tokens >= 1)) {
    const std::string found = position::rules::text(*tokens);
    top.fail(key, Complaint().found(found).fault("{}", found).allowed("a number of tokens, {} or more", 1));
  }
  return {*tokens, std::string(key)};
}

}  // namespace orrery::model
