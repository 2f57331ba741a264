// Files on their way to the disk, on a thread of their own: one figure, a motion, a whole tray.
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/export_page.h"
#include "app/render/jobs.h"

namespace orrery::gui {

/// What came of an export.
struct ExportReport {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> failed;  ///< "Rotation: cannot write …", one line each
  std::string note;                 ///< something to know about what was written; empty: nothing
  bool cancelled = false;
};
/// In one line for the status: what was written and where, what failed and why.
std::string in_words(const ExportReport&);

class ExportJob {
 public:
  /// `wake` is called from another thread whenever there is something new to see.
  explicit ExportJob(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
  /// Cancels, and waits.
  ~ExportJob();

  /// What is shown now, to this target. Only while not running, as the next one.
  void start(study::Recipe, std::shared_ptr<const study::Outcome>, std::filesystem::path target);
  /// Each into its file; one that fails does not keep the others.
  void start(std::vector<render::Job>);

  bool running() const { return result_.valid(); }
  /// So many of so many are done: files, or frames of a motion.
  std::pair<std::size_t, std::size_t> progress() const;
  void cancel() { stop_.request_stop(); }
  /// Once, when it has ended.
  std::optional<ExportReport> take();

 private:
  void run(std::function<ExportReport(const std::stop_token&)>);
  void tell(std::size_t done, std::size_t all);

  std::function<void()> wake_;
  std::stop_source stop_;
  mutable std::mutex mutex_;
  std::size_t done_ = 0, all_ = 0;
  std::future<ExportReport> result_;
};

}  // namespace orrery::gui
