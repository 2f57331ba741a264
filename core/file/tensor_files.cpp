#include "core/file/tensor_files.h"

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>

#include "core/file/bytes.h"
#include "core/file/npy.h"
#include "core/file/safetensors.h"
#include "core/file/safetensors_index.h"
#include "core/file/tensor_folder.h"
#include "core/file/tensor_name.h"
#include "core/tensor/error.h"

namespace orrery::file {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_index = 100'000'000;

/// Either an index, or the files themselves.
struct Files {
  fs::path origin;  // what a person named, or the index that was found in it
  std::optional<SafetensorsIndex> index{};
  std::vector<fs::path> shards{};

  fs::path beside(const std::string& shard) const { return origin.parent_path() / shard; }
};

Files of_index(const fs::path& path) {
  Files files{.origin = path, .index = parse_safetensors_index(read_bytes(path, max_index), path.string())};
  for (const std::string& shard : files.index->shards()) files.shards.push_back(files.beside(shard));
  return files;
}

Files of_folder(const fs::path& path) {
  const FolderOfTensors found = read_tensor_folder(path);
  if (!found.index.empty()) return of_index(found.index);
  return {.origin = path, .shards = found.shards};
}

Files files_of(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return of_folder(path);
  if (is_safetensors_index(path)) return of_index(path);
  return {.origin = path, .shards = {path}};
}

SafetensorsHeader header_of_shard(const Files& files, const fs::path& shard) {
  std::error_code ignored;
  if (files.index && !fs::exists(shard, ignored)) {
    const auto named =
        std::ranges::count(files.index->places, shard.filename().string(), &SafetensorsIndex::Place::shard);
    refuse_file(shard.string(), wrong("is not there, though {} names it for {} of its tensors",
                                      files.origin.filename().string(), named));
  }
  return read_safetensors_header(shard);
}

/// What `shard` holds besides what the index says it does; throws for what it lacks.
std::size_t compare_with_index(const Files& files, const fs::path& shard, const SafetensorsHeader& header) {
  const std::string name = shard.filename().string();
  std::vector<std::string_view> there;
  for (const SafetensorsEntry& entry : header.entries) there.push_back(entry.name);
  std::ranges::sort(there);
  std::size_t promised = 0;
  for (const auto& place : files.index->places) {
    if (place.shard != name) continue;
    ++promised;
    if (!std::ranges::binary_search(there, place.tensor))
      refuse_file(shard.string(), wrong("no tensor {}, though {} says that it lies here",
                                        shown_name(place.tensor), files.origin.filename().string()));
  }
  return there.size() - promised;
}

/// Without an index one name in two files is a guess.
void refuse_shared_names(const Files& files, const std::vector<ListedTensor>& tensors) {
  std::map<std::string_view, std::string_view> seen;
  for (const ListedTensor& each : tensors)
    if (const auto [at, fresh] = seen.try_emplace(each.name, each.shard); !fresh)
      refuse_file(files.origin.string(), wrong("tensor {} is in {} and in {}", shown_name(each.name),
                                               std::string(at->second), each.shard));
}

TensorListing list_of(const Files& files) {
  TensorListing listing;
  for (const fs::path& shard : files.shards) {
    const std::string name = shard.filename().string();
    const SafetensorsHeader header = header_of_shard(files, shard);
    if (files.index)
      if (const std::size_t more = compare_with_index(files, shard, header); more > 0)
        listing.remarks.push_back(words("{} holds {} tensors that {} does not place there: they are left out",
                                        name, more, files.origin.filename().string()));
    for (const SafetensorsEntry& entry : header.entries) {
      const auto* place = files.index ? files.index->find(entry.name) : nullptr;
      if (files.index && (!place || place->shard != name)) continue;
      listing.tensors.push_back({.name = entry.name,
                                 .dtype = entry.dtype,
                                 .shape = entry.shape,
                                 .bytes = entry.end - entry.begin,
                                 .shard = files.index || files.shards.size() > 1 ? name : std::string()});
    }
  }
  if (!files.index && files.shards.size() > 1) refuse_shared_names(files, listing.tensors);
  return listing;
}

/// Where each tensor lies, by its name; of an index without a look into its shards.
struct Whereabouts {
  std::vector<std::string> names;
  std::vector<fs::path> files;
};

Whereabouts whereabouts(const Files& files) {
  Whereabouts all;
  const auto add = [&](const std::string& name, const fs::path& file) {
    all.names.push_back(name);
    all.files.push_back(file);
  };
  if (files.index) {
    for (const auto& place : files.index->places) add(place.tensor, files.beside(place.shard));
  } else {
    for (const ListedTensor& each : list_of(files).tensors)
      add(each.name, each.shard.empty() ? files.shards.front() : files.origin / each.shard);
  }
  return all;
}

std::size_t chosen(const Whereabouts& all, const TensorPath& path, std::string_view ending) {
  const auto begin = all.names.begin(), end = all.names.end();
  if (!path.tensor.empty()) {
    const auto named = std::find(begin, end, path.tensor);
    if (named == end)
      refuse_file(path.file.string(), no_such_tensor(path.tensor, std::vector<std::string_view>(begin, end)));
    return static_cast<std::size_t>(named - begin);
  }
  const auto is_meant = [&](const std::string& name) {
    return all.names.size() == 1 || (!ending.empty() && name.ends_with(ending));
  };
  const auto first = std::find_if(begin, end, is_meant);
  if (first != end && std::count_if(begin, end, is_meant) == 1)
    return static_cast<std::size_t>(first - begin);
  const std::string example = first != end ? *first : all.names.empty() ? "NAME" : all.names.front();
  refuse_file(path.file.string(), Complaint()
                                      .found(all.names.size())
                                      .fault("holds {} tensors", all.names.size())
                                      .allowed("one of them as {}", "FILE#" + example));
}

}  // namespace

TensorListing list_tensors(const fs::path& path) {
  if (path.extension() != ".npy") return list_of(files_of(path));
  const StoredArray array = open_npy(path);
  return {.tensors = {{.name = path.stem().string(),
                       .dtype = array.dtype,
                       .shape = array.shape,
                       .bytes = array.bytes(),
                       .shard = {}}},
          .remarks = {}};
}

StoredArray open_tensor(const TensorPath& path, std::string_view ending, Accept accept) {
  if (!holds_several(path.file)) return open_npy(path.file, accept);
  const Files files = files_of(path.file);
  // The usual case, with one look at the header.
  if (!files.index && files.shards.size() == 1 && !path.tensor.empty())
    return open_safetensors(files.shards.front(), path.tensor);
  const Whereabouts all = whereabouts(files);
  const std::size_t which = chosen(all, path, ending);
  if (files.index)
    static_cast<void>(compare_with_index(files, all.files[which], header_of_shard(files, all.files[which])));
  return open_safetensors(all.files[which], all.names[which]);
}

bool holds_several(const fs::path& path) {
  std::error_code ignored;
  return is_safetensors(path) || is_safetensors_index(path) || fs::is_directory(path, ignored);
}

}  // namespace orrery::file
