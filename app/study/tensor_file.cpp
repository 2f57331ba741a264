#include "app/study/tensor_file.h"

#include "core/file/safetensors.h"
#include "core/tensor/array.h"

namespace orrery::study {

bool holds_tensors(std::string_view file_name) {
  return file_name.ends_with(".safetensors");
}

std::filesystem::path file_of(std::string_view path) {
  return file::tensor_path(path).file;
}

std::vector<TensorEntry> tensors_of(const std::filesystem::path& path) {
  std::vector<TensorEntry> all;
  for (const file::SafetensorsEntry& entry : file::read_safetensors_header(path).entries)
    all.push_back({entry.name, entry.dtype, tensor::shape_text(entry.shape)});
  return all;
}

}  // namespace orrery::study
