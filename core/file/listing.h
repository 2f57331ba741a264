// What a folder holds.
//
// std::filesystem's own iterators are not for us: libstdc++ takes memory within a step that it declares noexcept, and where
// there is none the program ends before anybody can say so.
#pragma once

#include <dirent.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

namespace orrery::file {

/// The paths in a folder, one by one, in whatever order the file system gives them; without "." and "..". Where the folder
/// cannot be read there are no more, and error() says why. Throws std::bad_alloc, and may be left at any step.
class Listing {
 public:
  explicit Listing(std::filesystem::path folder);
  std::optional<std::filesystem::path> next();
  const std::error_code& error() const { return error_; }

 private:
  struct Close {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };
  std::filesystem::path path_;
  std::unique_ptr<DIR, Close> folder_;
  std::error_code error_;
};

}  // namespace orrery::file
