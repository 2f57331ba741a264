// Many recipes at once: what the command line's batch and gallery and the window's tray share.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/recipe/recipe.h"

namespace orrery::render {

struct Job {
  std::string name;  ///< for people: the file it came from, and which figure of it
  std::filesystem::path target;
  recipe::Recipe recipe;
  Complaint error{};  ///< why there is no recipe; empty: there is one
};

/// The error of a job that was told to stop.
Complaint cancelled();

struct Done {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> left_out;            ///< texts of the figure that its page has no room for
  std::vector<std::string> words_as_numbers{};  ///< see tables.h
  Phrase fonts{}, characters{};                 ///< see remarks.h
  std::vector<Phrase> remarks{};
  double seconds = 0;
  Complaint error{};  ///< empty: it worked
};

/// Runs up to `threads` of them side by side and continues past a failing one. `on_done` is called for one job at a time,
/// in the order of the jobs; `on_count` at once, whenever one more has ended. Results do not depend on `threads`. A job that
/// would write a file of an earlier one fails (claims.h).
/// What had not ended when `stop` came has that error. What either of them throws stops the rest and is thrown on.
std::vector<Done> run_jobs(const std::vector<Job>&, int threads,
                           const std::function<void(std::size_t, const Done&)>& on_done,
                           const std::function<void(std::size_t ended)>& on_count = {},
                           const std::stop_token& stop = {});

/// Makes the directory, or throws a Failure that says why it cannot be one.
void make_directory(const std::filesystem::path&);

}  // namespace orrery::render
