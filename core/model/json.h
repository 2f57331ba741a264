// A JSON object from an untrusted file, and typed look-ups in it that explain what they did not like.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/complaint.h"

namespace orrery::model {

/// Throws Failure "origin:line:column: …" for text that is no JSON, nests too deeply, or has a number that is too large or
/// too small. Keys that stand twice in one object are put into `repeated`, each once: the last one counts, as in Python.
nlohmann::json parse_any_json(std::string_view text, std::string_view origin,
                              std::vector<std::string>& repeated);
/// The same of an object alone.
nlohmann::json parse_json(std::string_view text, std::string_view origin, std::vector<std::string>& repeated);

/// One object, whose keys are asked for one by one. Absent and null are the same: nothing. A value of the
/// wrong kind throws Failure "origin: path.key: …". Remembers what was asked for, so that the rest can be
/// reported.
class Fields {
 public:
  Fields(const nlohmann::json& object, std::string path, std::string_view origin)
      : object_(&object), path_(std::move(path)), origin_(origin) {}

  bool has(std::string_view key) const;
  /// Even as null: who writes null means it, and the class's default does not count.
  bool stands(std::string_view key) const;
  bool is_flag(std::string_view key) const;
  bool is_number(std::string_view key) const;
  bool is_text(std::string_view key) const;
  bool is_list(std::string_view key) const;
  std::vector<std::string> keys() const;
  std::optional<double> number(std::string_view key);
  /// The first of several names that is there.
  std::optional<double> number(std::initializer_list<std::string_view> keys);
  std::optional<std::int64_t> whole(std::string_view key, std::int64_t min, std::int64_t max);
  std::optional<std::int64_t> whole(std::initializer_list<std::string_view> keys, std::int64_t min,
                                    std::int64_t max);
  std::optional<bool> flag(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  std::optional<std::vector<double>> numbers(std::string_view key);
  std::optional<std::vector<std::string>> texts(std::string_view key);
  /// nullptr when absent, null, or no object.
  const nlohmann::json* object(std::string_view key);

  /// As it stands there, cut short; empty: it does not.
  std::string shown(std::string_view key) const;
  /// Keys with a value that nobody asked for, in alphabetical order.
  std::vector<std::string> unread() const;
  /// "rope_scaling.factor"
  std::string path(std::string_view key) const;
  std::string_view origin() const { return origin_; }
  [[noreturn]] void fail(std::string_view key, const Complaint& what) const;

 private:
  const nlohmann::json* value(std::string_view key);

  const nlohmann::json* object_;
  std::string path_;
  std::string_view origin_;
  std::set<std::string, std::less<>> read_;
};

}  // namespace orrery::model
