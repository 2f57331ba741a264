#include "app/gui/export_job.h"

#include <algorithm>
#include <span>
#include <thread>

#include "app/export/export.h"
#include "app/gui/typed_path.h"
#include "app/render/left_out.h"
#include "app/render/make.h"
#include "app/render/remarks.h"
#include "core/tensor/complaint_words.h"
#include "core/tensor/error.h"

namespace orrery::gui {

namespace {

void add_once(std::vector<Phrase>& all, const Phrase& remark) {
  if (!remark.empty() && std::ranges::find(all, remark) == all.end()) all.push_back(remark);
}

}  // namespace

Phrase said(const ExportReport& report) {
  Phrase all;
  const auto add = [&](const Phrase& more) { all = all.empty() ? more : words("{}; {}", all, more); };
  const std::size_t count = report.files.size();
  if (count == 1)
    add(words("written: {}", shown_path(report.files.front())));
  else if (count > 1)
    add(words("written: {} files to {}", count, shown_path(report.files.front().parent_path())));
  if (report.cancelled) add(words("cancelled"));
  if (report.failed.size() > 1) add(words("{} failed", report.failed.size()));
  if (!report.failed.empty()) add(sentence(report.failed.front()));
  if (!report.left_out.empty()) add(report.left_out);
  for (const Phrase& each : report.fonts) add(each);
  return all;
}

void ExportJob::Told::tell(std::size_t so_many, std::size_t of) {
  const std::lock_guard lock(mutex);
  done = so_many;
  all = of;
  if (wake) wake();
}

void ExportJob::Told::leave() {
  const std::lock_guard lock(mutex);
  wake = {};
}

ExportJob::~ExportJob() {
  if (!running()) return;
  cancel();
  result_.wait_for(longest);
  told_->leave();
}

void ExportJob::run(Work work) {
  static int jobs = 0;
  stop_ = {};
  cancelled_.reset();
  told_ = std::make_shared<Told>();
  told_->wake = wake_;
  const auto carry_out = [told = told_, work = std::move(work), stop = stop_.get_token()] {
    ExportReport report;
    try {
      report = work(*told, stop);
    } catch (const Cancelled&) {
      report.cancelled = true;
    } catch (const std::exception& error) {
      report.failed = {complaint_of(error)};
    }
    return report;
  };
  // A place of its own: it waits for none that was left behind.
  result_ = study::Reading<ExportReport>("export " + std::to_string(++jobs), carry_out, wake_);
}

void ExportJob::start(recipe::Recipe recipe, std::shared_ptr<const recipe::Outcome> outcome,
                      std::filesystem::path target) {
  run([recipe = std::move(recipe), outcome = std::move(outcome), target = std::move(target)](
          Told& told, const std::stop_token& stop) {
    render::MakeOptions options;
    options.on_frame = [&told](int done, int all) {
      told.tell(static_cast<std::size_t>(done), static_cast<std::size_t>(all));
    };
    options.stop = stop;
    render::make_directory(target.parent_path());
    ExportReport report;
    exporter::Written written = write_export(recipe, *outcome, target, options);
    report.files = std::move(written.files);
    report.left_out = render::left_out_phrase(written.left_out);
    add_once(report.fonts, render::remark_on_fonts(recipe, target));
    add_once(report.fonts, render::remark_on_characters(recipe, *outcome, target));
    return report;
  });
}

void ExportJob::start(std::vector<render::Job> jobs) {
  run([jobs = std::move(jobs)](Told& told, const std::stop_token& stop) {
    told.tell(0, jobs.size());
    render::make_directory(jobs.front().target.parent_path());
    ExportReport report;
    // One core stays for the window.
    const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
    render::run_jobs(
        jobs, threads,
        [&](std::size_t i, const render::Done& done) {
          report.files.insert(report.files.end(), done.files.begin(), done.files.end());
          if (report.left_out.empty()) report.left_out = render::left_out_phrase(done.left_out);
          add_once(report.fonts, done.fonts);
          add_once(report.fonts, done.characters);
          if (done.error == render::cancelled())
            report.cancelled = true;
          else if (!done.error.empty())
            report.failed.push_back(done.error.within(in_file(jobs[i].name)));
        },
        [&](std::size_t ended) { told.tell(ended, jobs.size()); }, stop);
    return report;
  });
}

void ExportJob::cancel() {
  stop_.request_stop();
  if (!cancelled_) cancelled_ = std::chrono::steady_clock::now();
}

std::pair<std::size_t, std::size_t> ExportJob::progress() const {
  const std::lock_guard lock(told_->mutex);
  return {told_->done, told_->all};
}

std::optional<ExportReport> ExportJob::take() {
  if (result_.ready()) return result_.take();
  if (!running() || !cancelled_ || std::chrono::steady_clock::now() - *cancelled_ < longest) return {};
  return left_behind();
}

std::optional<ExportReport> ExportJob::end() {
  if (!running()) return {};
  cancel();
  return result_.wait_for(longest) ? result_.take() : left_behind();
}

ExportReport ExportJob::left_behind() {
  told_->leave();
  result_ = {};
  ExportReport report;
  report.failed = {wrong("the disk does not answer")};
  report.cancelled = true;
  return report;
}

}  // namespace orrery::gui
