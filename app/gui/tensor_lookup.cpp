#include "app/gui/tensor_lookup.h"

#include "app/study/tensor_file.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

study::TensorLook read_look(const std::string& path, TensorLookup::Progress& progress) {
  return study::look_at_tensor(path, [&](std::uint64_t read, std::uint64_t all) {
    if (progress.stop) throw Cancelled();
    progress.all = all;
    progress.read = read;
  });
}

}  // namespace

void TensorLookup::drop() {
  if (progress_) progress_->stop = true;
  progress_.reset();
  reading_ = {};
  look_.reset();
  error_ = {};
  path_.clear();
}

void TensorLookup::want(const std::string& path) {
  if (path != path_) {
    drop();
    path_ = path;
    if (path.empty()) return;
    progress_ = std::make_shared<Progress>();
    reading_ = study::Reading<study::TensorLook>(
        study::file_of(path).string(), [path, progress = progress_] { return read_look(path, *progress); });
  }
  if (!reading_.ready()) return;
  try {
    look_ = std::make_shared<const study::TensorLook>(reading_.take());
  } catch (const std::exception& why) {
    error_ = complaint_of(why);
  }
}

}  // namespace orrery::gui
