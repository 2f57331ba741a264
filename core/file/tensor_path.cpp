#include "core/file/tensor_path.h"

#include <system_error>

namespace orrery::file {
namespace {

constexpr std::string_view shard_ending = ".safetensors", index_ending = ".safetensors.index.json";

TensorPath parted(std::string_view text, std::size_t hash) {
  return {std::filesystem::path(text.substr(0, hash)), std::string(text.substr(hash + 1))};
}

}  // namespace

TensorPath tensor_path(std::string_view text) {
  for (const std::string_view each : {index_ending, shard_ending}) {
    const std::size_t at = text.find(std::string(each) + "#");
    if (at != std::string_view::npos) return parted(text, at + each.size());
  }
  const std::size_t folder = text.rfind("/#");
  if (folder != std::string_view::npos && text.find('/', folder + 1) == std::string_view::npos)
    return parted(text, folder + 1);
  return {std::filesystem::path(text), {}};
}

TensorPath tensor_path_on_disk(std::string_view text) {
  TensorPath path = tensor_path(text);
  std::error_code ignored;
  const std::size_t hash = text.find('#', text.rfind('/') + 1);
  if (!path.tensor.empty() || hash == std::string_view::npos || std::filesystem::exists(path.file, ignored))
    return path;
  TensorPath within = parted(text, hash);
  return std::filesystem::is_directory(within.file, ignored) ? within : path;
}

bool is_safetensors(const std::filesystem::path& path) {
  return path.native().ends_with(shard_ending);
}

bool is_safetensors_index(const std::filesystem::path& path) {
  return path.native().ends_with(index_ending);
}

}  // namespace orrery::file
