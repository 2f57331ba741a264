// No file is written twice in one run, though which tables and pictures a figure puts beside itself is known only when it has
// been computed. A command looks before it begins, as far as it can (written_twice.h); this holds whatever was seen then.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "app/render/jobs.h"

namespace orrery::render {

/// Two figures in one file would be one figure, and nobody would know which.
Complaint two_figures_in(const std::filesystem::path&);

/// Each file belongs to the first job that claims it, and which one is first does not depend on threads: a job whose name
/// goes on from another's as its own files would, "map" and "map-panel1", "x" and "x.components", waits for that one.
class Claims {
 public:
  explicit Claims(const std::vector<Job>&);

  /// Returns once no earlier job can claim what this one will.
  void wait_for_turn(std::size_t job);
  /// Throws InvalidArgument where another job has one of the files.
  void claim(std::size_t job, std::span<const std::filesystem::path>);
  /// It will claim nothing more.
  void end(std::size_t job);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<std::size_t>> before_;  // of each job those it waits for, all of them earlier
  std::vector<bool> ended_;
  std::map<std::filesystem::path, std::size_t> owners_;
};

}  // namespace orrery::render
