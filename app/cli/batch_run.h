// How batch and gallery are asked for many recipes at once, and how they tell of it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
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

/// --jobs: 1 to 256; empty: as many as there are cores.
int parse_jobs(const std::string& text);

/// A line that is written over again and again on a terminal, and nothing elsewhere.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  void show(std::size_t done, std::size_t all, const std::string& what);
  /// Of one thing that takes long: a hundredth at a time.
  void show_share(double share, const std::string& what);
  void clear();

 private:
  void show_bar(double share, const std::string& numbers, const std::string& what);

  bool terminal_, shown_ = false;
  int hundredths_ = 0;
};

/// How long something will still take, by how fast it has been since it first said how far it is.
class TimeLeft {
 public:
  /// "3 min left", in the language that is spoken; empty while little is known.
  std::string said(double share);

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<std::pair<Clock::time_point, double>> first_;
};

}  // namespace orrery::cli
