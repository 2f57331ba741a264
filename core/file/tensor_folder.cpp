#include "core/file/tensor_folder.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "core/file/listing.h"
#include "core/file/tensor_name.h"
#include "core/file/tensor_path.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 100'000;

/// The files of a folder that hold tensors or say where they are, by name.
std::vector<fs::path> tensor_files_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::size_t seen = 0;
  Listing files(folder);
  while (const auto path = files.next()) {
    if (++seen > most_files) refuse_file(folder.string(), wrong("holds more than {} files", most_files));
    if (path->filename().native().starts_with('.')) continue;
    if (is_safetensors(*path) || is_safetensors_index(*path)) found.push_back(*path);
  }
  if (files.error())
    refuse_file(folder.string(), wrong("cannot be read: {}", foreign(files.error().message())));
  std::ranges::sort(found);
  return found;
}

std::string names_of(const std::vector<fs::path>& paths) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, paths.size()); ++i)
    text += (i == 0 ? "" : ", ") + paths[i].filename().string();
  return text + (paths.size() > most ? ", …" : "");
}

/// model-00002-of-00005.safetensors
struct ShardName {
  std::string model;
  std::size_t of = 0, digits = 0;
};

std::optional<ShardName> shard_name(const fs::path& path) {
  const std::string stem = path.stem().string();
  const auto digits_before = [&](std::size_t end) {
    std::size_t from = end;
    while (from > 0 && end - from < 9 && stem[from - 1] >= '0' && stem[from - 1] <= '9') --from;
    return from;
  };
  const std::size_t of = digits_before(stem.size());
  if (of == stem.size() || of < 4 || std::string_view(stem).substr(of - 4, 4) != "-of-") return {};
  const std::size_t number = digits_before(of - 4);
  if (number == of - 4 || number == 0 || stem[number - 1] != '-') return {};
  return ShardName{.model = stem.substr(0, number - 1),
                   .of = std::strtoul(stem.c_str() + of, nullptr, 10),
                   .digits = stem.size() - of};
}

std::string written(const ShardName& name, std::size_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, name.digits - std::min(name.digits, digits.size()), '0');
  std::string all = std::to_string(name.of);
  all.insert(0, name.digits - std::min(name.digits, all.size()), '0');
  return name.model + "-" + digits + "-of-" + all + ".safetensors";
}

/// All of 1 … N are there, and nothing else is.
bool are_one_model(const fs::path& folder, const std::vector<fs::path>& files) {
  const auto first = shard_name(files.front());
  if (!first || first->of == 0 || first->of > most_files) return false;
  for (const fs::path& each : files) {
    const auto name = shard_name(each);
    if (!name || name->model != first->model || name->of != first->of) return false;
  }
  for (std::size_t number = 1; number <= first->of; ++number)
    if (!std::ranges::binary_search(files, folder / written(*first, number)))
      refuse_file(folder.string(), wrong("{} is not there: it holds {} of {} shards", written(*first, number),
                                         files.size(), first->of));
  return files.size() == first->of;
}

}  // namespace

FolderOfTensors read_tensor_folder(const fs::path& folder) {
  std::vector<fs::path> files = tensor_files_in(folder), indexes;
  std::ranges::copy_if(files, std::back_inserter(indexes), is_safetensors_index);
  std::erase_if(files, is_safetensors_index);
  const auto usual = std::ranges::find_if(
      indexes, [](const fs::path& path) { return path.filename() == "model.safetensors.index.json"; });
  if (usual != indexes.end()) return {.index = *usual, .shards = {}};
  if (indexes.size() == 1) return {.index = indexes.front(), .shards = {}};
  if (indexes.size() > 1)
    refuse_file(folder.string(),
                wrong("holds {} indexes: {}", indexes.size(), names_of(indexes)).allowed("one of them"));
  if (files.empty()) refuse_file(folder.string(), wrong("is a directory without a .safetensors file"));
  // A single one may be what has come of several so far.
  const bool alone = files.size() == 1 && !shard_name(files.front());
  if (!alone && !are_one_model(folder, files))
    refuse_file(folder.string(), wrong("holds {} .safetensors files that are not shards of one model: {}",
                                       files.size(), names_of(files))
                                     .allowed("one of them"));
  return {.index = {}, .shards = files};
}

bool holds_safetensors(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return false;
  try {
    return !tensor_files_in(folder).empty();
  } catch (const Failure&) {
    return false;
  }
}

}  // namespace orrery::file
