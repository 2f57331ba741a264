// Files that belong together: all of them new, or all as they were.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace orrery::file {

class Temporary;

/// The Failure of a file that cannot be written, with the system's reason, an errno.
[[noreturn]] void cannot_write(const std::filesystem::path&, int error);

/// Where the bytes of a path go: behind its links, though they lead to no file yet.
std::filesystem::path target_of(const std::filesystem::path&);

/// Writes each beside its target and syncs it; commit renames them all. Without it, or where a write fails, every old file
/// stays, and what was written beside is removed. A link stays a link; a device or a pipe is written through at once.
/// Between writes a folder holds two descriptors at most, however many files: an animation has thousands.
class NewFiles {
 public:
  NewFiles();
  ~NewFiles();
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;

  /// Throws Failure naming the path and the reason; an existing file that may not be written is refused too.
  void write(const std::filesystem::path&, std::string_view bytes);
  /// One part after the other.
  void write(const std::filesystem::path&, std::span<const std::string_view> parts);
  /// In the order in which they were written, each with the owner and the rights of the file that it replaces, as far as this
  /// user may give them. Throws as write does: a rename that the folder refuses now, after it took the file, puts those before
  /// it back. Only on a file system that cannot exchange two names does an old file that was replaced stay new. A signal that
  /// ends the program waits for the last rename, or until all are put back.
  void commit();

 private:
  struct File;
  struct Guard;
  /// None for the first file of a folder: it stays locked until it has its name, and guards itself.
  const Temporary* guard_of(const std::filesystem::path& path, const std::filesystem::path& target);
  /// All get their names, or none does.
  void put_all();

  // By folder, however it is spelled; none where a single file was written. They outlive the files.
  std::map<std::filesystem::path, std::unique_ptr<Guard>> guards_;
  std::vector<std::unique_ptr<File>> files_;
};

}  // namespace orrery::file
