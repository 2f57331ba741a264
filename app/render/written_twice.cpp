#include "app/render/written_twice.h"

#include <map>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "app/export/export.h"
#include "app/render/animate.h"
#include "app/render/make.h"

namespace orrery::render {
namespace {

namespace fs = std::filesystem;

/// Which job has which file.
class Owners {
 public:
  /// The first of the files that another job has.
  std::optional<fs::path> add(std::size_t job, const std::vector<fs::path>& files) {
    for (const fs::path& file : files)
      if (owners_.emplace(exporter::real_target(file), job).first->second != job) return file;
    return std::nullopt;
  }

 private:
  std::map<fs::path, std::size_t> owners_;
};

std::vector<fs::path> files_by_name(const Job& job) {
  if (!job.recipe.animation) return {job.target};
  return animation_files(*job.recipe.animation, job.target);
}

/// None of what cannot be computed: whoever makes it will say why.
std::vector<fs::path> files_by_result(const Job& job) {
  try {
    return targets(compute(job.recipe), job.target);
  } catch (const std::bad_alloc&) {  // there may be memory when it is made
    throw;
  } catch (const std::exception&) {
    return {};
  }
}

bool holds_tables(const Job& job) {
  return job.error.empty() && !job.recipe.animation && !exporter::is_figure(job.target) &&
         exporter::ending_of(job.target) != exporter::animation_ending;
}

/// Jobs of which only the results tell whether their tables meet. In one format: in another the same ones would.
std::set<std::size_t> jobs_left_open(const std::vector<Job>& jobs) {
  std::map<std::string, std::size_t> names;
  std::string ending;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!holds_tables(jobs[i])) continue;
    if (ending.empty()) ending = jobs[i].target.extension().string();
    if (jobs[i].target.extension().string() == ending)
      names.emplace(fs::path(jobs[i].target).replace_extension().string(), i);
  }
  std::set<std::size_t> open;
  for (const auto& [name, i] : names)
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
      if (const auto shorter = names.find(name.substr(0, dot)); shorter != names.end())
        open.insert({i, shorter->second});
  return open;
}

}  // namespace

std::optional<fs::path> written_twice(const std::vector<Job>& jobs) {
  Owners by_name, by_result;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (jobs[i].error.empty())
      if (auto file = by_name.add(i, files_by_name(jobs[i]))) return file;
  for (const std::size_t i : jobs_left_open(jobs))
    if (auto file = by_result.add(i, files_by_result(jobs[i]))) return file;
  return std::nullopt;
}

}  // namespace orrery::render
