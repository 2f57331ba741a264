#include "app/cli/batch_run.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <new>
#include <thread>

#include "app/cli/arguments.h"
#include "app/cli/drawing.h"
#include "app/cli/print.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

Done run_job(const Job& job) {
  Done done;
  const auto start = std::chrono::steady_clock::now();
  try {
    if (!job.error.empty()) throw Failure(job.error);
    done.files = make(job.recipe, job.target).files;
  } catch (const std::bad_alloc&) {
    done.error = "out of memory";
  } catch (const std::exception& error) {
    done.error = error.what();
  }
  done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return done;
}

}  // namespace

std::vector<Done> run_jobs(const std::vector<Job>& jobs, int threads,
                           const std::function<void(std::size_t, const Done&)>& on_done,
                           const std::function<void(std::size_t)>& on_count) {
  std::vector<Done> results(jobs.size());
  std::vector<bool> ended(jobs.size(), false);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t told = 0, count = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      Done done = run_job(jobs[i]);
      const std::lock_guard lock(mutex);
      results[i] = std::move(done);
      ended[i] = true;
      ++count;
      for (; told < jobs.size() && ended[told]; ++told) on_done(told, results[told]);
      if (on_count) on_count(count);
    }
  };
  {
    std::vector<std::jthread> others;
    const int wanted = std::clamp(threads, 1, static_cast<int>(std::max<std::size_t>(jobs.size(), 1)));
    for (int i = 1; i < wanted; ++i) others.emplace_back(work);
    work();
  }
  return results;
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!fs::is_directory(directory)) {
    throw Failure(directory.string() +
                  ": cannot be made a directory: " + (error ? error.message() : "a file is in its place"));
  }
}

std::vector<std::string> parse_formats(const std::string& text) {
  std::vector<std::string_view> allowed;
  for (const std::string_view ending : output_endings()) allowed.push_back(ending.substr(1));
  std::vector<std::string> endings;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string name = text.substr(from, comma - from);
    if (std::ranges::find(allowed, name) == allowed.end())
      throw InvalidArgument("--format: found '" + name + "'; allowed: " + joined(allowed));
    const std::string ending = "." + name;
    if (std::ranges::find(endings, ending) == endings.end()) endings.push_back(ending);
    from = comma + 1;
  }
  return endings;
}

int parse_jobs(const std::string& text) {
  if (text.empty()) return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 256U));
  const double count = parse_number("--jobs", text, 1, 256);
  if (count != static_cast<int>(count))
    throw InvalidArgument("--jobs: found '" + text + "'; allowed: a whole number from 1 to 256");
  return static_cast<int>(count);
}

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::show(std::size_t done, std::size_t all, const std::string& what) {
  if (!terminal_ || all == 0) return;
  constexpr std::size_t cells = 24;
  const std::size_t full = cells * done / all;
  std::string bar;
  for (std::size_t i = 0; i < cells; ++i) bar += i < full ? "━" : "┄";
  std::fprintf(stderr, "\r%s %zu/%zu  %s\033[K", bar.c_str(), done, all, what.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace orrery::cli
