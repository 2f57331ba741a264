// TOML with places: every complaint about a recipe begins with origin:line:column.
#pragma once

#include <toml++/toml.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/tensor/complaint.h"

namespace orrery::recipe {

std::string in_quotes(std::string_view text);  ///< as a TOML string
std::string listed(std::span<const std::string_view> names);

/// What a key takes, in words.
struct Allowed {
  Allowed(Phrase words) : phrase(std::move(words)) {}
  Allowed(const char* words) : phrase{words} {}
  Phrase phrase;
};

class RecipeReader {
 public:
  /// Throws Failure for a text that is no TOML, or is nested deeper than any recipe.
  RecipeReader(std::string_view text, std::string_view origin);

  const toml::table& root() const { return root_; }

  [[noreturn]] void fail(const toml::source_position& at, const Complaint& what) const;
  [[noreturn]] void fail(const toml::node& at, const Complaint& what) const;
  /// "key: found 3; allowed: …"
  [[noreturn]] void refuse(const toml::node& at, std::string_view key, const Allowed& allowed,
                           Subject::Kind kind = Subject::Kind::key) const;

  /// Refuses any other key, naming the nearest.
  void only(const toml::table&, std::span<const std::string_view> known) const;
  void only(const toml::table& table, std::initializer_list<std::string_view> known) const {
    only(table, std::span(known.begin(), known.size()));
  }

  /// The value of `key`, or nullptr when it is not there; of another type it is refused.
  template <class T>
  const T* get(const toml::table& table, std::string_view key, const Allowed& allowed) const {
    const toml::node* node = table.get(key);
    if (!node) return nullptr;
    if constexpr (std::is_same_v<T, toml::table> || std::is_same_v<T, toml::array>) {
      if (const T* inner = node->as<T>()) return inner;
    } else {
      if (const auto* value = node->as<T>()) return &value->get();
    }
    refuse(*node, key, allowed);
  }
  /// A finite number from `least` to `most`, whole or not.
  std::optional<double> number(const toml::table&, std::string_view key, double least, double most,
                               const Allowed& allowed) const;
  /// One of a few names.
  std::optional<std::string> choice(const toml::table&, std::string_view key,
                                    std::span<const std::string_view> allowed) const;

  /// What stands there, where it is short enough to be read; else nothing.
  static std::string found(const toml::node&);

 private:
  std::string origin_;
  toml::table root_;
};

/// A number that may be written as a whole one.
std::optional<double> number_in(const toml::node&);

}  // namespace orrery::recipe
