// Files on their way to the disk, on a thread of their own: one figure, a motion, a whole tray. Where a disk never answers,
// that thread is left behind.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/export_page.h"
#include "app/render/jobs.h"
#include "app/study/reading.h"

namespace orrery::gui {

/// What came of an export.
struct ExportReport {
  std::vector<std::filesystem::path> files;
  std::vector<Complaint> failed;  ///< "Rotation: cannot write …"
  Phrase left_out;                ///< of the first of them that had no room for all its words; empty: all had
  std::vector<Phrase> fonts;      ///< typefaces and characters that nobody here has, each once
  bool cancelled = false;
};
/// In one line for the status: what was written and where, what failed and why.
Phrase said(const ExportReport&);

class ExportJob {
 public:
  /// `wake` is called from another thread whenever there is something new to see.
  explicit ExportJob(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
  /// So long a job that was asked to stop is waited for.
  static constexpr std::chrono::seconds longest{5};
  /// Cancels, and waits.
  ~ExportJob();

  /// What is shown now, to this target. Only while not running, as the next one.
  void start(recipe::Recipe, std::shared_ptr<const recipe::Outcome>, std::filesystem::path target);
  /// Each into its file; one that fails does not keep the others.
  void start(std::vector<render::Job>);

  bool running() const { return result_.asked(); }
  /// So many of so many are done: files, or frames of a motion.
  std::pair<std::size_t, std::size_t> progress() const;
  void cancel();
  /// Once, when it has ended, or was left behind.
  std::optional<ExportReport> take();
  /// Cancels, waits, and takes; nothing where nothing runs.
  std::optional<ExportReport> end();

 private:
  /// How far a job has come: its own, for it may outlive all else.
  struct Told {
    mutable std::mutex mutex;
    std::size_t done = 0, all = 0;
    std::function<void()> wake;
    void tell(std::size_t so_many, std::size_t of);
    void leave();  ///< nobody is woken any more
  };
  using Work = std::function<ExportReport(Told&, const std::stop_token&)>;
  void run(Work);
  ExportReport left_behind();

  std::function<void()> wake_;
  std::stop_source stop_;
  std::optional<std::chrono::steady_clock::time_point> cancelled_;
  std::shared_ptr<Told> told_ = std::make_shared<Told>();
  study::Reading<ExportReport> result_;
};

}  // namespace orrery::gui
