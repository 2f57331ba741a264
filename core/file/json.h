// JSON from anybody: in time linear in its length, nested no deeper than is allowed.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/tensor/error.h"

namespace orrery::file {

struct JsonReading {
  int max_depth = 64;  ///< objects and lists within each other
  /// A key that stood in its object already; its last value counts.
  std::function<void(const std::string& key)> on_repeated{};
  /// Where the whole is an object: gets each of its members as it ends, and then it is forgotten, so that an object of any
  /// length takes the memory of its largest member. Members are not compared with each other.
  std::function<void(const std::string& key, nlohmann::json& value)> on_member{};
  /// A number that is not 0 and so small that it is read as 0: what was written.
  std::function<void(const std::string& number)> on_underflow{};
};

/// A number that is too large, and the byte up to which the text was read.
class NumberTooLarge : public nlohmann::json::out_of_range {
 public:
  NumberTooLarge(const nlohmann::json::out_of_range& error, std::size_t at) : out_of_range(error), byte(at) {}
  std::size_t byte;
};

class TooDeep : public Failure {
 public:
  using Failure::Failure;
};

/// Throws what nlohmann::json::parse throws for text that is no JSON, and TooDeep.
nlohmann::json read_json(std::string_view text, const JsonReading&);

}  // namespace orrery::file
