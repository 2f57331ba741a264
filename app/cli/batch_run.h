// How batch and gallery are asked for many recipes at once, and how they tell of it.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
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
/// Of --format, out of these endings.
Offers formats_offered(std::span<const std::string_view> endings);

/// "pdf,svg" → .pdf .svg; only out of these endings.
std::vector<std::string> parse_formats(const std::string& text, std::span<const std::string_view> endings);

/// Says which columns of words a .npy has numbers for; nothing where there are none.
void warn_of_numbers(const std::filesystem::path&, const std::vector<std::string>& columns);

/// Says what a person should know of what was made: of each figure once, for all its formats; of typefaces that several of them
/// miss once.
class Warnings {
 public:
  void say_of(const Job&, const Done&);

 private:
  std::set<std::string> said_;
};

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
