// One thread at a time among fonts.
//
// Cairo 1.16 keeps the font files that it has open in one map of the process, ten at most, and closes one of them while
// another thread may be reading it: from the eleventh file on, threads that set text side by side crash, or write figures
// that lack letters. Fonts of a thread's own are no help, since the map is shared.
//
// A lock and not processes beside each other: a window's threads need it anyway; on two cores a lecture of 160 figures took
// as long either way, and the lock a tenth less of the processors, as each process finds its fonts anew. Half of what a PDF
// costs is under the lock, a tenth of a PNG: numbers, paths and packing go on side by side.
#pragma once

#include <cairo.h>

#include <atomic>
#include <memory>
#include <mutex>

namespace orrery::exporter {

/// Held by whoever sets or paints text, and by whoever lets go of what has text in it: a thread may hold it twice.
/// TextSetter holds it by itself, one label at a time, so that a window's label waits for another's page only while that
/// page is put together.
class FontLock {
 public:
  FontLock() : lock_(mutex()) { ++held; }
  ~FontLock() { --held; }
  FontLock(const FontLock&) = delete;
  FontLock& operator=(const FontLock&) = delete;

  /// By whichever thread.
  static bool is_held() { return held > 0; }

 private:
  static std::recursive_mutex& mutex();
  static inline std::atomic<int> held = 0;
  const std::lock_guard<std::recursive_mutex> lock_;
};

struct LetGo {
  void operator()(cairo_t* context) const {
    const FontLock lock;
    cairo_destroy(context);
  }
  void operator()(cairo_surface_t* surface) const {
    const FontLock lock;
    cairo_surface_destroy(surface);
  }
};
using ContextPtr = std::unique_ptr<cairo_t, LetGo>;
using SurfacePtr = std::unique_ptr<cairo_surface_t, LetGo>;

}  // namespace orrery::exporter
