#include "app/language/read_table.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/language/deep_name.h"
#include "app/language/language.h"
#include "core/file/bytes.h"
#include "core/file/listing.h"
#include "core/tensor/error.h"

namespace orrery::language {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t longest_table = 1 << 24;

std::string place(std::string_view origin, const toml::source_region& source) {
  return std::string(origin) + ":" + std::to_string(source.begin.line);
}

Subject in_table(std::string_view origin, const toml::source_region& source) {
  return in_file(origin, source.begin.line);
}

std::vector<Entry> read_folder(const fs::path& folder, std::string_view code) {
  std::vector<fs::path> files;
  file::Listing listing(folder / code);
  while (const auto path = listing.next())
    if (path->extension() == ".toml") files.push_back(*path);
  if (listing.error())
    throw Failure(
        about(Subject::Kind::variable, "ORRERY_TRANSLATION_DIR")
            .fault("cannot read {}: {}", (folder / code).string(), foreign(listing.error().message())));
  std::sort(files.begin(), files.end());
  std::vector<Entry> all;
  for (const fs::path& path : files) {
    const std::string text = file::read_bytes(path, longest_table);
    for (Entry& entry : read_table(text, std::string(code) + "/" + path.filename().string()))
      all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace

std::vector<Entry> read_table(std::string_view text, std::string_view origin) {
  std::vector<std::pair<std::uint32_t, Entry>> lines;
  if (const auto deep = deep_name(text))
    throw Failure(wrong("a name of more than {} parts", most_name_parts)
                      .within(in_file(origin, 1 + static_cast<std::size_t>(
                                                      std::ranges::count(text.substr(0, *deep), '\n')))));
  try {
    const toml::table table = toml::parse(text, origin);
    for (const auto& [key, value] : table) {
      const auto* said = value.as_string();
      if (!said)
        throw Failure(wrong("{} is not a line \"English text\" = \"translation\"", in_apostrophes(key.str()))
                          .within(in_table(origin, value.source())));
      lines.push_back({key.source().begin.line,
                       {std::string(key.str()), said->get(), place(origin, key.source()), false}});
    }
  } catch (const toml::parse_error& error) {
    throw Failure(Complaint().fault(foreign(error.description())).within(in_table(origin, error.source())));
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Entry> entries;
  // The phrases of an error or of a command say themselves by which pattern they are to be found.
  const bool whole = origin.ends_with("errors.toml") || origin.ends_with("commands.toml");
  for (auto& [line, entry] : lines) {
    entry.whole = whole;
    if (const Pattern key(entry.english); !whole && !key.places().empty() && key.weight() == 0)
      throw Failure(
          wrong("{} has places and no words: every text would be one", in_apostrophes(entry.english))
              .within(in_file(origin, line)));
    if (Pattern(entry.said).repeats())
      throw Failure(
          wrong("{} says a part more than once", in_apostrophes(entry.said)).within(in_file(origin, line)));
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<Entry> read_tables(std::string_view code) {
  if (const char* folder = std::getenv("ORRERY_TRANSLATION_DIR"); folder && *folder)
    return read_folder(folder, code);
  std::vector<Entry> all;
  for (int i = 0; i < tables_count; ++i) {
    const std::string_view name = tables[i].name;
    if (!name.starts_with(std::string(code) + "/")) continue;
    for (Entry& entry : read_table(tables[i].text, name)) all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace orrery::language
