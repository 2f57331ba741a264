#include "app/render/claims.h"

#include <algorithm>
#include <string>

#include "app/export/export.h"
#include "core/tensor/error.h"

namespace orrery::render {
namespace {

namespace fs = std::filesystem;

/// The next place where a name may go on as that of a table or of a picture beside a .tex.
std::size_t next_cut(const std::string& name, std::size_t from) {
  return std::min(name.find('.', from), name.find("-panel", from));
}

}  // namespace

Complaint two_figures_in(const fs::path& file) {
  return Complaint()
      .found(file.string())
      .fault("two figures would be written to {}", file.string())
      .allowed("one name for each (name = \"…\" in a [[figure]])");
}

Claims::Claims(const std::vector<Job>& jobs) : before_(jobs.size()), ended_(jobs.size(), false) {
  std::multimap<std::string, std::size_t> names;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (!jobs[i].target.empty())
      names.emplace(exporter::real_target(jobs[i].target).replace_extension().string(), i);
  for (const auto& [name, i] : names) {
    for (std::size_t at = next_cut(name, 0); at != name.npos; at = next_cut(name, at + 1)) {
      const auto [first, last] = names.equal_range(name.substr(0, at));
      for (auto other = first; other != last; ++other)
        before_[std::max(i, other->second)].push_back(std::min(i, other->second));
    }
  }
}

void Claims::wait_for_turn(std::size_t job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return std::ranges::all_of(before_[job], [&](std::size_t earlier) { return ended_[earlier]; });
  });
}

void Claims::claim(std::size_t job, std::span<const fs::path> files) {
  const std::lock_guard lock(mutex_);
  for (const fs::path& file : files)
    if (const auto owner = owners_.find(exporter::real_target(file));
        owner != owners_.end() && owner->second != job)
      throw InvalidArgument(two_figures_in(file));
  for (const fs::path& file : files) owners_.emplace(exporter::real_target(file), job);
}

void Claims::end(std::size_t job) {
  {
    const std::lock_guard lock(mutex_);
    ended_[job] = true;
  }
  changed_.notify_all();
}

}  // namespace orrery::render
