// SETTINGS.toml: a training as a file. Every key may be left out; what is not known is refused with the nearest name, a value
// outside of its range with the range, both with line and column.
//
//   orrery = 1
//   [task]
//   kind = "markov"
//   [model]
//   positions = "rope"
//   [training]
//   steps = 3000
//
// A number may be an expression in quotes, as everywhere: "2^10". A vector is a list: lengths = [64, 128].
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/experiment/declarations.h"
#include "app/recipe/reader.h"
#include "core/file/source.h"
#include "core/parameter/settings.h"

namespace orrery::experiment {

class Settings {
 public:
  Settings();

  /// "model", which must be one of sections().
  const parameter::Settings& of(std::string_view section) const;
  parameter::Settings& of(std::string_view section);

  bool operator==(const Settings&) const = default;
  /// What the training itself follows from is the same.
  bool trains_as(const Settings&) const;
  /// The first key that differs in it, "model.width"; empty: none.
  std::string first_difference(const Settings&) const;

  /// A key that is not read at these settings (the base of a model without rotary positions) has its default.
  Settings as_read() const;
  /// 16 digits of all values as they are read, for the name of a folder: the same on every machine.
  std::string hash() const { return as_read().hash_of_values(); }
  /// The same of settings that are as they are read.
  std::string hash_of_values() const;

 private:
  std::vector<parameter::Settings> all_;
};

/// Every value, so that a later change of a default changes no old training.
std::string to_toml(const Settings&);

/// The tables of a file over `settings`; keys of the file's root that are no tables of these are the caller's. Throws Failure.
void read_sections(const recipe::RecipeReader&, const toml::table&, Settings&);
/// The line "orrery = 1", which must be there.
void check_version(const recipe::RecipeReader&);

/// Throws Failure, one line: "s.toml:3:1: model.widht: …".
Settings settings_from_toml(std::string_view text, std::string_view origin);
Settings read_settings(const std::filesystem::path&, file::Accept = file::Accept::files_and_pipes);

}  // namespace orrery::experiment
