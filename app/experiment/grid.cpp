#include "app/experiment/grid.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>

#include "core/file/bytes.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"
#include "core/training/sweep_table_format.h"

namespace orrery::experiment {
namespace {

using recipe::RecipeReader;

using training::most_sweep_rows;

constexpr std::size_t most_cells = most_sweep_rows;  // each has a row at least
constexpr std::string_view usual = "usual";

struct Variant {
  std::string name;
  const toml::node* at;  ///< for what is wrong with it
  Settings settings;
};

/// Whole numbers, each once.
std::vector<std::int64_t> numbers(const RecipeReader& reader, const toml::table& grid, std::string_view key,
                                  std::int64_t least, std::int64_t most) {
  const Phrase allowed = words("a list of whole numbers from {} to {}, each once", least, most);
  std::vector<std::int64_t> found;
  std::set<std::int64_t> once;
  const auto* list = reader.get<toml::array>(grid, key, allowed);
  if (!list) return found;
  for (const toml::node& node : *list) {
    const auto* number = node.as_integer();
    if (!number || number->get() < least || number->get() > most || !once.insert(number->get()).second)
      reader.refuse(node, key, allowed);
    found.push_back(number->get());
  }
  if (found.empty()) reader.refuse(*list, key, allowed);
  return found;
}

bool is_name(std::string_view name) {
  constexpr std::size_t longest = 60;
  return !name.empty() && name.size() <= longest && parameter::harmless(name) &&
         name.find_first_of(",\"\n\t|;") == std::string_view::npos;
}

std::vector<Variant> read_variants(const RecipeReader& reader, const Settings& shared) {
  std::vector<Variant> all;
  std::set<std::string> names;
  const auto* list = reader.get<toml::array>(reader.root(), "variant", "tables: [[variant]]");
  if (!list) return {{std::string(usual), &reader.root(), shared}};
  std::vector<std::string_view> known{"name"};
  for (const Section& section : sections()) known.push_back(section.name);
  for (const toml::node& node : *list) {
    const toml::table* table = node.as_table();
    if (!table) reader.refuse(node, "variant", "tables: [[variant]]");
    reader.only(*table, known);
    const Phrase allowed =
        words("{} characters without commas, semicolons, bars and quotes, each name once", "1 to 60");
    const auto* name = reader.get<std::string>(*table, "name", allowed);
    if (!name) reader.fail(*table, about(Subject::Kind::key, "name").fault("missing").allowed(allowed));
    if (!is_name(*name) || !names.insert(*name).second) reader.refuse(*table->get("name"), "name", allowed);
    Variant variant{*name, table, shared};
    read_sections(reader, *table, variant.settings);
    all.push_back(std::move(variant));
  }
  if (all.empty()) reader.refuse(*list, "variant", "one or more tables: [[variant]]");
  return all;
}

std::string_view length_key(const Settings& settings) {
  return settings.of("task").choice("kind") == "copy" ? "longest" : "length";
}

[[noreturn]] void refuse(const RecipeReader& reader, const Variant& variant, const Complaint& what) {
  reader.fail(*variant.at, what.within({Subject::Kind::key, name_phrase("variant " + variant.name)}));
}

/// Of a variant at a length, whatever its seed: refused before anything is trained.
std::shared_ptr<const Task> check(const RecipeReader& reader, const Variant& variant,
                                  const Settings& settings) {
  try {
    return plan_of(settings).task;
  } catch (const InvalidArgument& error) {
    refuse(reader, variant, error.complaint());
  } catch (const Failure& error) {
    refuse(reader, variant, error.complaint());
  }
}

}  // namespace

Settings Cell::settings() const {
  Settings own = *of_all_seeds;
  own.of("training").set("seed", parameter::Value(seed));
  return own;
}

Grid grid_from_toml(std::string_view text, std::string_view origin) {
  const RecipeReader reader(text, origin);
  std::vector<std::string_view> known{"orrery", "grid", "variant"};
  for (const Section& section : sections()) known.push_back(section.name);
  reader.only(reader.root(), known);
  check_version(reader);
  Settings shared;
  read_sections(reader, reader.root(), shared);
  Grid grid{.text = std::string(text), .variants = {}, .lengths = {}, .seeds = {}, .cells = {}};
  if (const auto* table = reader.get<toml::table>(reader.root(), "grid", "a table")) {
    reader.only(*table, {"lengths", "seeds"});
    grid.lengths = numbers(reader, *table, "lengths", 1, 65536);
    grid.seeds = numbers(reader, *table, "seeds", 0, 4294967295);
  }
  const std::vector<Variant> variants = read_variants(reader, shared);
  const std::vector<Index> as_it_is{0};
  const std::vector<Index>& lengths = grid.lengths.empty() ? as_it_is : grid.lengths;
  const std::size_t all = variants.size() * lengths.size() * std::max<std::size_t>(1, grid.seeds.size());
  if (all > most_cells)
    reader.fail(reader.root(),
                about(Subject::Kind::key, "grid").fault("{} cells", all).allowed("up to {}", most_cells));
  std::size_t rows = 0;
  std::map<std::string, std::string> whose;
  std::vector<std::shared_ptr<const Task>> tasks;  // held, so that a text is read once
  for (const Variant& variant : variants) {
    grid.variants.push_back(variant.name);
    const std::vector<std::int64_t> own_seed{variant.settings.of("training").integer("seed")};
    const std::vector<std::int64_t>& seeds = grid.seeds.empty() ? own_seed : grid.seeds;
    for (const Index length : lengths) {
      Settings settings = variant.settings;
      const std::string_view key = length_key(settings);
      if (length > 0) settings.of("task").set(key, parameter::Value(static_cast<std::int64_t>(length)));
      tasks.push_back(check(reader, variant, settings));
      const Index trained = settings.of("task").integer(key);
      rows += seeds.size() * asked_lengths(settings, *tasks.back()).size();
      if (rows > most_sweep_rows)
        reader.fail(reader.root(), about(Subject::Kind::key, "grid")
                                       .fault("a table of {} rows", rows)
                                       .allowed("up to {}", most_sweep_rows));
      Settings read = settings.as_read();  // once: which keys are read follows from no seed
      const auto of_all_seeds = std::make_shared<const Settings>(std::move(settings));
      for (const std::int64_t seed : seeds) {
        read.of("training").set("seed", parameter::Value(seed));
        Cell cell{variant.name, trained, seed, of_all_seeds, read.hash_of_values()};
        const auto [at, is_new] = whose.emplace(cell.name, variant.name);
        if (!is_new)
          reader.fail(*variant.at, about(Subject::Kind::key, "variant")
                                       .fault("{} is the same training as {}", variant.name, at->second)
                                       .allowed("variants whose settings differ"));
        grid.cells.push_back(std::move(cell));
      }
    }
  }
  if (grid.lengths.empty())
    for (const Cell& cell : grid.cells)
      if (std::ranges::find(grid.lengths, cell.trained) == grid.lengths.end())
        grid.lengths.push_back(cell.trained);
  if (grid.seeds.empty())
    for (const Cell& cell : grid.cells)
      if (std::ranges::find(grid.seeds, cell.seed) == grid.seeds.end()) grid.seeds.push_back(cell.seed);
  return grid;
}

Grid read_grid(const std::filesystem::path& path) {
  constexpr std::uint64_t longest = 1 << 20;
  return grid_from_toml(file::read_bytes(path, longest, file::Accept::files_and_pipes), path.string());
}

Part part_from_text(std::string_view option, std::string_view text) {
  const auto whole = [](std::string_view digits) -> std::int64_t {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    return error == std::errc() && end == digits.data() + digits.size() ? n : 0;
  };
  const std::size_t slash = text.find('/');
  const Part part{.number = whole(text.substr(0, slash)),
                  .of = slash == std::string_view::npos ? 0 : whole(text.substr(slash + 1))};
  if (part.number < 1 || part.of < part.number)
    throw InvalidArgument(about(Subject::Kind::option, option)
                              .found_text(text)
                              .allowed("{} of {} parts: {}", "I", "N", "1/N … N/N"));
  return part;
}

}  // namespace orrery::experiment
