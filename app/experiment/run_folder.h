// The folder of one training.
//
//   settings.toml            every value that it follows from
//   checkpoint.safetensors   the model and what the next step needs, after a whole number of steps
//   losses.csv               step, loss, rate, grouped so that there are about a thousand lines
//   text.json                of a text: its length and a sum over its bytes, so that another text is noticed
//   lock                     held by who trains there
//
// Each is written beside itself and renamed: whenever a program ends, all of them are whole. losses.csv may be ahead of the
// checkpoint by one writing, never behind it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/experiment/plan.h"
#include "core/file/descriptor.h"
#include "core/tensor/error.h"

namespace orrery::experiment {

struct LossLine {
  std::int64_t step = 0;
  double loss = 0, rate = 0;
};

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path settings() const { return path_ / "settings.toml"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.safetensors"; }
  std::filesystem::path losses() const { return path_ / "losses.csv"; }
  std::filesystem::path text() const { return path_ / "text.json"; }

  bool has_checkpoint() const;
  /// Throws Failure where no training is and files are that one would write over, a settings.toml of somebody's own too.
  void check_free() const;
  /// Makes the folder and writes what it is of; where it is a training already it must be the same. Throws Failure.
  void begin(const Plan&) const;
  /// What it is of. Throws Failure for a folder that is no training's.
  Settings read() const;
  /// Throws Failure where the text is not what it was when the training began.
  void check_text(const Task&) const;

  std::vector<LossLine> read_losses(std::int64_t up_to) const;
  void write_losses(const std::vector<LossLine>&) const;

 private:
  /// Throws Failure where a training of others is here.
  void check_settings(const Plan&) const;

  std::filesystem::path path_;
};

/// Another program trains in a folder.
class Busy : public Failure {
 public:
  using Failure::Failure;
};

/// Held as long as it lives; the system gives it back when a program ends, however it ends.
class FolderLock {
 public:
  /// Throws Busy where another program holds it, and Failure where there are no locks.
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  file::Descriptor descriptor_;
};

/// Throws Failure for what cannot be made.
void make_folder(const std::filesystem::path&);

}  // namespace orrery::experiment
