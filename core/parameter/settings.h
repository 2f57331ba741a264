// A set of values for a list of declared parameters: a plain value, compared, hashed and stored as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/parameter/parameter.h"

namespace orrery::parameter {

/// Typed numbers in rows of one length, row after row.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  ///< rows × columns
  bool operator==(const Matrix&) const = default;
};

/// integer → int64, real → double or its word, choice, file and text → string, toggle → bool, vector → vector<double>,
/// matrix → Matrix.
using Value = std::variant<std::int64_t, double, std::string, bool, std::vector<double>, Matrix>;

/// Reads `text` as a value of `p`. Throws InvalidArgument, one line:
/// "base: 'abc' is not a number; allowed: a number from 1 to 1e9".
Value parse(const Parameter& p, std::string_view text);
/// The canonical text of a value; parse(p, format(v)) == v exactly.
std::string format(const Value& v);
/// Throws InvalidArgument when v is of the wrong kind or outside what p allows.
void validate(const Parameter& p, const Value& v);

class Settings {
 public:
  Settings() = default;
  /// All defaults. `declared` must outlive the settings (declarations are constants of the program).
  explicit Settings(std::span<const Parameter> declared);

  std::span<const Parameter> declared() const { return declared_; }

  /// Setting a value validates it; an unknown name throws InvalidArgument that lists the known ones.
  void set(std::string_view name, std::string_view text);
  void set(std::string_view name, const char* text) { set(name, std::string_view(text)); }
  void set(std::string_view name, const std::string& text) { set(name, std::string_view(text)); }
  void set(std::string_view name, Value value);

  const Value& value(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  /// Of a real that has a word: nothing where the word stands.
  std::optional<double> number(std::string_view name) const;
  const std::string& choice(std::string_view name) const;
  const std::string& file(std::string_view name) const;
  bool toggle(std::string_view name) const;
  const std::vector<double>& vector(std::string_view name) const;
  const Matrix& matrix(std::string_view name) const;
  /// The canonical text of any value; of a text, itself.
  std::string text(std::string_view name) const { return format(value(name)); }

  bool is_default(std::string_view name) const;
  bool operator==(const Settings& other) const { return values_ == other.values_; }
  std::uint64_t hash() const;

 private:
  std::size_t index(std::string_view name) const;
  std::span<const Parameter> declared_;
  std::vector<Value> values_;  // in the order of declared_
};

}  // namespace orrery::parameter
