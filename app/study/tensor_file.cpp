#include "app/study/tensor_file.h"

#include <utility>

#include "core/file/tensor_files.h"
#include "core/file/tensor_folder.h"
#include "core/tensor/array.h"

namespace orrery::study {

bool holds_tensors(std::string_view file_name) {
  return file::is_safetensors(file_name) || file::is_safetensors_index(file_name) || file_name.ends_with('/');
}

bool is_numpy(std::string_view file_name) {
  return file_name.ends_with(".npy");
}

bool is_tensor_folder(const std::filesystem::path& path) {
  return file::holds_safetensors(path);
}

std::filesystem::path file_of(std::string_view path) {
  return file::tensor_path(path).file;
}

TensorFile read_tensor_file(const std::filesystem::path& path) {
  file::TensorListing listing = file::list_tensors(path);
  TensorFile all{.tensors = {}, .remarks = std::move(listing.remarks)};
  for (const file::ListedTensor& each : listing.tensors)
    all.tensors.push_back({each.name, each.dtype, tensor::shape_text(each.shape), each.bytes, each.shard});
  return all;
}

}  // namespace orrery::study
