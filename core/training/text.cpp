#include "core/training/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>

#include "core/file/bytes.h"
#include "core/file/listing.h"
#include "core/tensor/error.h"
#include "core/training/draws.h"

namespace orrery::training {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t longest_text = std::uint64_t{1} << 30;

/// In a folder: what is to be read, in the order of their names.
std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return {path};
  std::vector<fs::path> found;
  file::Listing files(path);
  while (const auto file = files.next()) {
    const fs::file_type type = fs::symlink_status(*file, failed).type();
    if (type == fs::file_type::regular) found.push_back(*file);
    if (failed && type != fs::file_type::not_found) break;  // one that has gone since it was listed is none
    failed.clear();
  }
  if (!failed) failed = files.error();
  if (failed) throw Failure(about(Subject::Kind::file, path.string()).fault(foreign(failed.message())));
  std::ranges::sort(found, {}, [](const fs::path& file) { return file.filename().string(); });
  return found;
}

Batch windows(std::string_view bytes, Index tokens, const std::vector<std::size_t>& starts) {
  Batch batch{.sequences = static_cast<Index>(starts.size()), .length = tokens};
  const auto length = static_cast<std::size_t>(tokens);
  const auto id = [&](std::size_t at) { return static_cast<Index>(static_cast<unsigned char>(bytes[at])); };
  for (const std::size_t start : starts)
    for (std::size_t t = 0; t < length; ++t) {
      batch.tokens.push_back(id(start + t));
      batch.targets.push_back(id(start + t + 1));
    }
  return batch;
}

/// How many places a sequence and its next byte can begin at.
std::size_t places(std::string_view bytes, Index tokens) {
  return bytes.size() - static_cast<std::size_t>(tokens);
}

/// Of so many sequences evenly apart, `count` from the number `first` on.
Batch evenly(std::string_view bytes, Index tokens, Index sequences, Index first, Index count) {
  std::vector<std::size_t> starts;
  const std::size_t last = places(bytes, tokens) - 1;
  for (Index i = first; i < first + count; ++i)
    starts.push_back(
        sequences == 1 ? 0 : last * static_cast<std::size_t>(i) / static_cast<std::size_t>(sequences - 1));
  return windows(bytes, tokens, starts);
}

}  // namespace

Text read_text(const fs::path& path, double held_out) {
  Text text{.origin = path.string(), .files = {}, .bytes = {}};
  for (const fs::path& file : files_of(path)) {
    text.files.push_back(file.filename().string());
    text.bytes += file::read_bytes(file, longest_text - text.bytes.size());
  }
  if (text.bytes.empty())
    throw Failure(about(Subject::Kind::file, text.origin)
                      .fault("no text to train on")
                      .allowed("a text file, or a folder with some"));
  const auto all = static_cast<double>(text.bytes.size());
  text.trained = text.bytes.size() - static_cast<std::size_t>(held_out * all);
  return text;
}

Index TextTask::longest() const {
  const std::size_t shorter = std::min(text->of_training().size(), text->held_out().size());
  return shorter == 0 ? 0 : static_cast<Index>(shorter) - 1;
}

void TextTask::check(Index tokens, std::string_view key) const {
  const Index needed = std::max(tokens, length);
  if (needed >= 1 && needed <= longest()) return;
  const std::size_t trained = text->of_training().size(), held_out = text->held_out().size();
  throw InvalidArgument(about(key).found(needed).allowed(
      "from 1 to {}: of {}, {} bytes are {}", longest(), text->origin, std::min(trained, held_out),
      trained < held_out ? words("trained on") : words("held out")));
}

Batch TextTask::training(std::uint64_t seed, std::uint64_t step) const {
  Draws draws = Draws::of_training(seed, step);
  std::vector<std::size_t> starts;
  for (Index b = 0; b < sequences; ++b)
    starts.push_back(
        static_cast<std::size_t>(draws.below(static_cast<Index>(places(text->of_training(), length)))));
  return windows(text->of_training(), length, starts);
}

Batch TextTask::of_length(Index tokens, Index count) const {
  return part_of_length(tokens, count, 0, count);
}

Batch TextTask::part_of_length(Index tokens, Index all, Index first, Index count) const {
  check(tokens);
  return evenly(text->held_out(), tokens, all, first, count);
}

Batch TextTask::trained_of_length(Index tokens, Index count) const {
  check(tokens);
  return evenly(text->of_training(), tokens, count, 0, count);
}

double loss_without_context(const Text& text) {
  std::array<double, 256> seen{};
  for (const char byte : text.of_training()) ++seen[static_cast<unsigned char>(byte)];
  const double all = static_cast<double>(text.of_training().size() + seen.size());
  double sum = 0;
  for (const char byte : text.held_out()) sum -= std::log((seen[static_cast<unsigned char>(byte)] + 1) / all);
  return sum / static_cast<double>(text.held_out().size());
}

}  // namespace orrery::training
