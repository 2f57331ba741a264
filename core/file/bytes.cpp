#include "core/file/bytes.h"

#include <algorithm>

namespace orrery::file {
namespace {

Phrase size_phrase(std::uint64_t bytes) {
  return words("{} bytes", bytes);
}

}  // namespace

std::string read_head(const std::filesystem::path& path, std::size_t count) {
  Source source(path);
  std::string bytes(count, '\0');
  bytes.resize(source.read(bytes.data(), count));
  return bytes;
}

std::string read_bytes(const std::filesystem::path& path, std::uint64_t limit, Accept accept) {
  Source source(path, accept);
  const std::uint64_t announced = source.size().value_or(0);
  if (announced > limit)
    source.fail(
        Complaint().found(announced).fault(size_phrase(announced)).allowed("up to {}", size_phrase(limit)));

  // One byte more than announced, so that the end of the file is met without growing the string.
  std::string bytes(std::max<std::uint64_t>(announced + 1, 65536), '\0');
  std::size_t filled = 0;
  while (const std::size_t n = source.read(bytes.data() + filled, bytes.size() - filled)) {
    filled += n;
    if (filled > limit) source.fail(wrong("more than the allowed {}", size_phrase(limit)));
    if (filled == bytes.size()) bytes.resize(bytes.size() * 2);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace orrery::file
