#include "app/study/study.h"
#include "core/gpu/device.h"
#include "core/tensor/error.h"

namespace orrery::study {

void Run::check() const {
  if (on_check) on_check();
  if (cancelled()) throw Cancelled();
}

void Run::progress(double fraction) const {
  check();
  if (on_progress) on_progress(fraction);
}

void Run::publish(const StudyResult& partial) const {
  check();
  if (on_partial) on_partial(partial);
}

gpu::Device& Run::gpu() const {
  return gpu::Device::of_this_thread();
}

}  // namespace orrery::study
