#include "app/gui/export_job.h"

#include <algorithm>
#include <thread>

#include "app/export/missing_characters.h"
#include "app/gui/typed_path.h"
#include "core/tensor/error.h"

namespace orrery::gui {

std::string in_words(const ExportReport& report) {
  std::string text;
  const std::size_t count = report.files.size();
  if (count == 1)
    text = "written: " + shown_path(report.files.front());
  else if (count > 1)
    text =
        "written: " + std::to_string(count) + " files to " + shown_path(report.files.front().parent_path());
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (report.cancelled) add("cancelled");
  if (report.failed.size() > 1) add(std::to_string(report.failed.size()) + " failed");
  if (!report.failed.empty()) add(report.failed.front());
  if (!report.note.empty()) add(report.note);
  return text;
}

ExportJob::~ExportJob() {
  cancel();
  if (result_.valid()) result_.wait();
}

void ExportJob::run(std::function<ExportReport(const std::stop_token&)> work) {
  stop_ = {};
  tell(0, 0);
  result_ = std::async(std::launch::async, [this, work = std::move(work), stop = stop_.get_token()] {
    ExportReport report;
    try {
      report = work(stop);
    } catch (const Cancelled&) {
      report.cancelled = true;
    } catch (const std::exception& error) {
      report.failed = {error.what()};
    }
    if (wake_) wake_();
    return report;
  });
}

void ExportJob::start(study::Recipe recipe, std::shared_ptr<const study::Outcome> outcome,
                      std::filesystem::path target) {
  run([this, recipe = std::move(recipe), outcome = std::move(outcome),
       target = std::move(target)](const std::stop_token& stop) {
    render::MakeOptions options;
    options.on_frame = [this](int done, int all) {
      tell(static_cast<std::size_t>(done), static_cast<std::size_t>(all));
    };
    options.stop = stop;
    ExportReport report;
    report.files = write_export(recipe, *outcome, target, options);
    if (std::string missing = exporter::missing_characters_note(outcome->result.figure); !missing.empty())
      report.note = "fonts: " + missing;
    return report;
  });
}

void ExportJob::start(std::vector<render::Job> jobs) {
  run([this, jobs = std::move(jobs)](const std::stop_token& stop) {
    tell(0, jobs.size());
    render::make_directory(jobs.front().target.parent_path());
    ExportReport report;
    // One core stays for the window.
    const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
    render::run_jobs(
        jobs, threads,
        [&](std::size_t i, const render::Done& done) {
          report.files.insert(report.files.end(), done.files.begin(), done.files.end());
          if (done.error == render::cancelled)
            report.cancelled = true;
          else if (!done.error.empty())
            report.failed.push_back(jobs[i].name + ": " + done.error);
        },
        [&](std::size_t ended) { tell(ended, jobs.size()); }, stop);
    return report;
  });
}

void ExportJob::tell(std::size_t done, std::size_t all) {
  {
    const std::lock_guard lock(mutex_);
    done_ = done;
    all_ = all;
  }
  if (wake_) wake_();
}

std::pair<std::size_t, std::size_t> ExportJob::progress() const {
  const std::lock_guard lock(mutex_);
  return {done_, all_};
}

std::optional<ExportReport> ExportJob::take() {
  if (!result_.valid() || result_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return std::nullopt;
  return result_.get();
}

}  // namespace orrery::gui
