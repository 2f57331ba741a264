// How batch and gallery are asked for many recipes at once, and how they tell of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/render/jobs.h"

namespace orrery::cli {

using render::Done;
using render::Job;
using render::make_directory;
using render::run_jobs;

/// -o and --jobs, as both take them.
Argument output_folder(std::string&);
Argument jobs_argument(std::string&);
/// Of --format.
Offers formats_offered();

/// "pdf,svg" → .pdf .svg; only endings of figures and animations.
std::vector<std::string> parse_formats(const std::string& text);

/// Says which columns of words a .npy has numbers for; nothing where there are none.
void warn_of_numbers(const std::filesystem::path&, const std::vector<std::string>& columns);

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
