#include "core/file/write_file.h"

#include "core/file/new_files.h"

namespace orrery::file {

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  write_file(path, std::span(&bytes, 1));
}

void write_file(const std::filesystem::path& path, std::span<const std::string_view> parts) {
  NewFiles one;
  one.write(path, parts);
  one.commit();
}

}  // namespace orrery::file
