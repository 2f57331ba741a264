// A shader storage buffer that frees itself. Moved-from and default-constructed are the same safe state: no
// object yet.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "core/tensor/view.h"

namespace orrery::gpu {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes);  ///< uninitialised
  explicit Buffer(std::span<const float>);
  explicit Buffer(tensor::View<const float>);  ///< packed: rows of `cols` values without gaps
  Buffer(Buffer&& other) noexcept
      : id_(std::exchange(other.id_, 0)), bytes_(std::exchange(other.bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Buffer();

  unsigned id() const { return id_; }
  std::size_t bytes() const { return bytes_; }
  void read(tensor::View<float> to) const;  ///< waits for the work that writes it

 private:
  unsigned id_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace orrery::gpu
