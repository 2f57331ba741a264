// Presets: values of a study's parameters under one name. Published models, as far as the study's parameters speak of
// them (Parameter::model_fact); and what a person saved, as a recipe in a file of its own.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/study/study.h"

namespace orrery::recipe {

struct Preset {
  struct Assignment {
    std::string parameter, text;
    bool operator==(const Assignment&) const = default;
  };
  std::string name;   ///< as it is typed: "llama-3.1-8b"
  std::string title;  ///< as it is read: "Llama 3.1 8B"
  std::vector<Assignment> values;
  /// What the model says and the study cannot take: "Window: 4096".
  std::vector<std::string> left_out{};
  bool saved = false;  ///< a person's own
};

/// The published models that say something about this study's parameters.
std::vector<Preset> published_presets(const study::Study&);

/// Those in the person's folder, by name; a file that is no recipe of this study is passed over. None without a folder.
std::vector<Preset> saved_presets(const study::Study&);

/// A saved one, else a published one. Throws InvalidArgument, one line that begins with --preset and names the near ones; of a
/// saved one whose file is damaged, what is wrong with the file, and where.
Preset find_preset(const study::Study&, std::string_view name);

/// The settings with the preset's values; parameters named in `locked` keep theirs.
parameter::Settings with_preset(parameter::Settings, const Preset&, const std::set<std::string>& locked = {});

/// $XDG_DATA_HOME/orrery/presets/STUDY/NAME.toml, or below ~/.local/share; empty where there is neither. Throws
/// InvalidArgument for a name that is no file name.
std::filesystem::path preset_file(const study::Study&, std::string_view name);
/// What stands in it.
std::string preset_text(const study::Study&, const parameter::Settings&);

}  // namespace orrery::recipe
