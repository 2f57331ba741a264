#include "app/render/jobs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "app/render/claims.h"
#include "app/render/make.h"
#include "app/render/remarks.h"
#include "app/render/tables.h"
#include "core/tensor/error.h"

namespace orrery::render {
namespace {

namespace fs = std::filesystem;

/// The files stand already: what cannot be said for want of memory is left out.
void remark(const Job& job, const recipe::Outcome& outcome, Done& done) {
  try {
    done.characters = remark_on_characters(job.recipe, outcome, job.target);
    done.remarks = remarks_on(outcome);
  } catch (const std::bad_alloc&) {
    done.remarks = {};
  }
}

Done run_job(const std::vector<Job>& jobs, std::size_t i, Claims& claims, const std::stop_token& stop) {
  const Job& job = jobs[i];
  Done done;
  const auto start = std::chrono::steady_clock::now();
  try {
    if (!job.error.empty()) throw Failure(job.error);
    if (stop.stop_requested()) throw Cancelled();
    MakeOptions options;
    options.stop = stop;
    options.before_writing = [&](std::span<const fs::path> files) { claims.claim(i, files); };
    done.fonts = remark_on_fonts(job.recipe, job.target);
    Made made = make(job.recipe, job.target, options);
    done.files = std::move(made.files);
    done.left_out = std::move(made.left_out);
    done.words_as_numbers = words_as_numbers(made.outcome, job.target, {});
    remark(job, made.outcome, done);
  } catch (const Cancelled&) {
    done.error = cancelled();
  } catch (const std::exception& error) {
    done.error = complaint_of(error);
  }
  done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return done;
}

}  // namespace

Complaint cancelled() {
  return wrong("cancelled");
}

std::vector<Done> run_jobs(const std::vector<Job>& jobs, int threads,
                           const std::function<void(std::size_t, const Done&)>& on_done,
                           const std::function<void(std::size_t)>& on_count, const std::stop_token& stop) {
  std::vector<Done> results(jobs.size());
  std::vector<bool> ended(jobs.size(), false);
  Claims claims(jobs);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t told = 0, count = 0;
  std::exception_ptr
      untold;  // why nobody could be told, a full disk behind stdout: nothing more is made then
  std::stop_source ours;
  const std::stop_callback theirs(stop, [&] { ours.request_stop(); });
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      claims.wait_for_turn(i);
      Done done = run_job(jobs, i, claims, ours.get_token());
      claims.end(i);
      const std::lock_guard lock(mutex);
      if (untold) return;
      results[i] = std::move(done);
      ended[i] = true;
      ++count;
      try {
        for (; told < jobs.size() && ended[told]; ++told) on_done(told, results[told]);
        if (on_count) on_count(count);
      } catch (...) {
        untold = std::current_exception();
        ours.request_stop();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const int wanted = std::clamp(threads, 1, static_cast<int>(std::max<std::size_t>(jobs.size(), 1)));
    for (int i = 1; i < wanted; ++i) others.emplace_back(work);
    work();
  }
  if (untold) std::rethrow_exception(untold);
  return results;
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  std::error_code unknown;
  if (!fs::is_directory(directory, unknown)) {
    const Phrase why = error ? foreign(error.message()) : words("a file is in its place");
    throw Failure(wrong("cannot be made a directory: {}", why).within(in_file(directory.string())));
  }
}

}  // namespace orrery::render
