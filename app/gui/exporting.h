// What leaves the window: where it goes, and what is on its way.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "app/gui/document.h"
#include "app/gui/export_job.h"
#include "app/gui/tray_page.h"

namespace orrery::gui {

class Exporting {
 public:
  explicit Exporting(const std::function<void()>& wake) : job_(wake) {}

  /// The study that is open came from that file, or from none.
  void comes_from(std::filesystem::path file) {
    target_ = {std::move(file), false};
    unwritten_.clear();
  }
  /// The study that is open came from that file, or was last written to it; and it may be replaced unasked.
  bool belongs_to(const std::filesystem::path& file) const {
    return !target_.file.empty() && target_.file == file;
  }
  bool wrote(const std::filesystem::path& file) const { return target_.agreed && belongs_to(file); }

  /// Where it was to be written last, if nothing came of that; empty: it was written. Until another file is what it comes from.
  const std::filesystem::path& unwritten() const { return unwritten_; }

  /// To this target. Only while nothing is on its way.
  void write(recipe::Recipe, std::shared_ptr<const recipe::Outcome>, const std::filesystem::path& target);
  /// Each into the folder under a name made of its title, with an ending such as "pdf".
  void write_tray(const Tray&, const std::filesystem::path& folder, std::string_view ending, const TrayPage&);
  const ExportJob& job() const { return job_; }
  void cancel() { job_.cancel(); }
  /// The last job that ended was stopped, or could not write a file.
  bool left_undone() const { return left_undone_; }
  /// What came of the one that runs, which is stopped and waited for.
  std::optional<ExportReport> end() { return job_.end(); }

  struct Ended {
    ExportReport report;
    std::filesystem::path target;  ///< empty: it was the tray, or another file was opened meanwhile
  };
  /// Once, when it has ended.
  std::optional<Ended> take();

 private:
  struct {
    std::filesystem::path file;
    bool agreed = false;           // it may be replaced unasked
  } target_;                       // where this study came from or was written last; empty: nowhere yet
  std::filesystem::path writing_;  // what is being written, where it is not the tray
  std::filesystem::path unwritten_;
  bool left_undone_ = false;
  ExportJob job_;
};

}  // namespace orrery::gui
