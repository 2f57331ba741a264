#include "core/file/listing.h"

#include <cerrno>
#include <new>
#include <string_view>
#include <utility>

namespace orrery::file {
namespace {

std::error_code errno_now() {
  return {errno, std::generic_category()};
}

}  // namespace

Listing::Listing(std::filesystem::path folder) : path_(std::move(folder)), folder_(::opendir(path_.c_str())) {
  if (folder_) return;
  error_ = errno_now();
  if (error_ == std::errc::not_enough_memory) throw std::bad_alloc();
}

std::optional<std::filesystem::path> Listing::next() {
  if (!folder_) return std::nullopt;
  for (;;) {
    errno = 0;  // the end of a folder and a fault look alike but for it
    const dirent* const entry = ::readdir(folder_.get());
    if (!entry) {
      if (errno != 0) error_ = errno_now();
      folder_.reset();
      return std::nullopt;
    }
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return path_ / name;
  }
}

}  // namespace orrery::file
