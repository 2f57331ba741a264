// Memory for vectors, not yet written.
#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <new>

#include "core/tensor/view.h"

namespace orrery::simd {

template <class T>
using AlignedRoom = hwy::AlignedFreeUniquePtr<T[]>;

/// Throws std::bad_alloc where there is none: Highway's own gives nothing then.
template <class T>
AlignedRoom<T> aligned_room(tensor::Index count) {
  auto room = hwy::AllocateAligned<T>(static_cast<std::size_t>(std::max<tensor::Index>(count, 1)));
  if (!room) throw std::bad_alloc();
  return room;
}

}  // namespace orrery::simd
