// A file that is open to be read, from its beginning or anywhere in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/file/descriptor.h"
#include "core/tensor/complaint.h"

namespace orrery::file {

/// A pipe may never say anything: only what a person named for just this command is read from one (/dev/stdin, `<(…)`). What
/// a recipe, a session or a study's settings name is a file.
enum class Accept : std::uint8_t { files, files_and_pipes };

/// Opening never waits for a pipe's other end, and what is neither a file nor a pipe is refused. Every function throws
/// Failure naming the path and what is wrong.
class Source {
 public:
  explicit Source(const std::filesystem::path&, Accept = Accept::files);

  const std::string& name() const { return name_; }
  /// In bytes; nothing for a pipe.
  std::optional<std::uint64_t> size() const { return size_; }
  /// The next bytes: fewer than `count` only where the source ends.
  std::size_t read(char* to, std::size_t count);
  /// The next bytes are those from there on. Files only.
  void seek(std::uint64_t at);
  /// The bytes from there on, fewer than `count` only where the source ends; where read() goes on stays as it is. Files only;
  /// from any thread.
  std::size_t read_at(std::uint64_t at, char* to, std::size_t count) const;
  /// Failure about this file.
  [[noreturn]] void fail(const Complaint&) const;

 private:
  void wait() const;

  Descriptor descriptor_;
  std::string name_;
  std::optional<std::uint64_t> size_;
};

}  // namespace orrery::file
