// Many recipes at once: shared by batch and gallery.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/study/recipe.h"

namespace orrery::cli {

struct Job {
  std::string name;  ///< for people: the file it came from, and which figure of it
  std::filesystem::path target;
  study::Recipe recipe;
  std::string error;  ///< why there is no recipe; empty: there is one
};

struct Done {
  std::vector<std::filesystem::path> files;
  double seconds = 0;
  std::string error;  ///< empty: it worked
};

/// Runs up to `threads` of them side by side and continues past a failing one. `on_done` is called for one job at a time,
/// in the order of the jobs; `on_count` at once, whenever one more has ended. Results do not depend on `threads`.
std::vector<Done> run_jobs(const std::vector<Job>&, int threads,
                           const std::function<void(std::size_t, const Done&)>& on_done,
                           const std::function<void(std::size_t ended)>& on_count = {});

/// Makes the directory, or throws a Failure that says why it cannot be one.
void make_directory(const std::filesystem::path&);

/// "pdf,svg" → .pdf .svg; only endings of figures and animations.
std::vector<std::string> parse_formats(const std::string& text);

/// --jobs: 1 to 256; empty: as many as there are cores.
int parse_jobs(const std::string& text);

/// A line that is written over again and again on a terminal, and nothing elsewhere.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  void show(std::size_t done, std::size_t all, const std::string& what);
  void clear();

 private:
  bool terminal_, shown_ = false;
};

}  // namespace orrery::cli
