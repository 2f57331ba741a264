// Looking into the tensor that is chosen, beside the interface: of a large one that takes a while, and another may be chosen
// meanwhile. Then the first is left within a fraction of a millisecond of reading.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "app/study/reading.h"
#include "app/study/tensor_look.h"

namespace orrery::gui {

class TensorLookup {
 public:
  TensorLookup() = default;
  ~TensorLookup() { drop(); }
  TensorLookup(const TensorLookup&) = delete;
  TensorLookup& operator=(const TensorLookup&) = delete;

  /// Once per frame: PATH#NAME is what is wanted now; empty: nothing.
  void want(const std::string& path);
  void drop();
  bool pending() const { return reading_.asked(); }
  /// Of what is wanted now; nullptr while it is being read, and where it cannot be.
  const std::shared_ptr<const study::TensorLook>& look() const { return look_; }
  const Complaint& error() const { return error_; }  ///< why it cannot be read
  struct Progress {
    std::atomic<bool> stop = false;
    std::atomic<std::uint64_t> read = 0, all = 0;
  };
  const std::shared_ptr<Progress>& progress() const { return progress_; }

 private:
  std::string path_;
  std::shared_ptr<Progress> progress_;
  study::Reading<study::TensorLook> reading_;
  std::shared_ptr<const study::TensorLook> look_;
  Complaint error_;
};

}  // namespace orrery::gui
