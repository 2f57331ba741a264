#include "app/recipe/presets.h"

#include <algorithm>
#include <new>
#include <optional>

#include "app/recipe/presets_folder.h"
#include "app/recipe/recipe.h"
#include "app/study/model_facts.h"
#include "core/file/base_folder.h"
#include "core/file/bytes.h"
#include "core/file/listing.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::recipe {
namespace {

namespace fs = std::filesystem;
using parameter::Parameter;
using parameter::Settings;

constexpr std::uint64_t largest_file = 1 << 20;

/// The first of the texts that the parameter allows.
std::optional<std::string> allowed(const Parameter& p, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    try {
      return parameter::format(parameter::parse(p, text));
    } catch (const InvalidArgument&) {
      continue;
    }
  }
  return std::nullopt;
}

/// What a course says, it says of rotary positions.
bool study_of_rotation(const study::Study& study) {
  return std::ranges::any_of(study.parameters,
                             [](const Parameter& p) { return p.model_fact == "rope_theta"; });
}

Preset published_preset(const study::Study& study, std::string_view model) {
  Preset preset{.name = std::string(model), .title = std::string(study::model_title(model)), .values = {}};
  for (const Parameter& p : study.parameters) {
    if (p.model_fact.empty()) continue;
    const std::vector<std::string> texts = study::model_fact(model, p.model_fact);
    if (texts.empty()) continue;
    if (const auto text = allowed(p, texts))
      preset.values.push_back({std::string(p.name), *text});
    else
      preset.left_out.push_back(std::string(p.label) + ": " + texts.front());
  }
  return preset;
}

/// Throws where it is no recipe of the study.
Preset read_preset(const study::Study& study, const fs::path& file) {
  const Recipe recipe = recipe_from_toml(file::read_bytes(file, largest_file), file.string());
  if (recipe.study != &study)
    throw Failure(
        wrong("is a recipe of {}, not of {}", recipe.study->id, study.id).within(in_file(file.string())));
  Preset preset{.name = file.stem().string(), .title = file.stem().string(), .values = {}, .saved = true};
  for (const Parameter& p : study.parameters)
    preset.values.push_back({std::string(p.name), recipe.settings.text(p.name)});
  return preset;
}

bool is_sound(std::string_view name) {
  return !name.empty() && name.size() <= 80 && name.front() != '.' &&
         std::ranges::none_of(name, [](char c) { return c == '/' || static_cast<unsigned char>(c) < ' '; });
}

}  // namespace

fs::path presets_folder() {
  const fs::path base = file::base_folder("XDG_DATA_HOME", ".local/share");
  return base.empty() ? base : base / "orrery" / "presets";
}

std::vector<Preset> published_presets(const study::Study& study) {
  std::vector<Preset> all;
  const bool speaks =
      std::ranges::any_of(study.parameters, [](const Parameter& p) { return !p.model_fact.empty(); });
  if (!speaks) return all;
  const auto add = [&](std::string_view name) {
    if (Preset preset = published_preset(study, name); !preset.values.empty())
      all.push_back(std::move(preset));
  };
  for (const std::string_view course : study::course_names())
    if (study_of_rotation(study)) add(course);
  for (const std::string_view model : study::published_names()) add(model);
  return all;
}

std::vector<Preset> saved_presets(const study::Study& study) {
  std::vector<Preset> all;
  const fs::path folder = presets_folder();
  if (folder.empty()) return all;
  file::Listing files(folder / study.id);
  while (const auto path = files.next()) {
    if (path->extension() != ".toml") continue;
    try {
      all.push_back(read_preset(study, *path));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {
      continue;  // find_preset says what is wrong with it
    }
  }
  std::ranges::sort(all, {}, &Preset::name);
  return all;
}

Preset find_preset(const study::Study& study, std::string_view name) {
  if (is_sound(name)) {
    std::error_code none;
    if (const fs::path file = preset_file(study, name); fs::exists(file, none))
      return read_preset(study, file);
  }
  std::vector<Preset> all = saved_presets(study);
  for (Preset& preset : published_presets(study)) all.push_back(std::move(preset));
  const auto found = std::ranges::find(all, name, &Preset::name);
  if (found != all.end()) return *found;

  std::vector<std::string_view> known;
  for (const Preset& preset : all) known.push_back(preset.name);
  Complaint none = parameter::unknown(about(Subject::Kind::option, "--preset"), name, known)
                       .fault("{} is no preset of {}", in_apostrophes(name), study.id);
  throw InvalidArgument(known.empty() ? none.led_by("; there are none") : none);
}

Settings with_preset(Settings settings, const Preset& preset, const std::set<std::string>& locked) {
  for (const auto& [name, text] : preset.values)
    if (!locked.contains(name)) settings.set(name, text);
  return settings;
}

fs::path preset_file(const study::Study& study, std::string_view name) {
  if (!is_sound(name))
    throw InvalidArgument(about(words("preset"))
                              .found(name)
                              .fault("{} is no name", in_apostrophes(name))
                              .allowed("1 to 80 bytes without '/', not beginning with a dot"));
  const fs::path folder = presets_folder();
  return folder.empty() ? folder : folder / study.id / (std::string(name) + ".toml");
}

std::string preset_text(const study::Study& study, const Settings& settings) {
  Recipe recipe;
  recipe.study = &study;
  recipe.settings = settings;
  return to_toml(recipe);
}

}  // namespace orrery::recipe
