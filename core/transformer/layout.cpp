#include "core/transformer/layout.h"

#include <algorithm>

namespace orrery::transformer {

Slot Layout::matrix(std::string name, Index rows, Index cols, Role role) {
  return add(std::move(name), {rows, cols}, {size_, rows, cols}, role);
}

Slot Layout::vector(std::string name, Index size, Role role) {
  return add(std::move(name), {size}, {size_, 1, size}, role);
}

const NamedSlot* Layout::find(std::string_view name) const {
  const auto found = std::ranges::find(arrays_, name, &NamedSlot::name);
  return found == arrays_.end() ? nullptr : &*found;
}

Slot Layout::add(std::string name, std::vector<Index> shape, Slot slot, Role role) {
  arrays_.push_back({std::move(name), std::move(shape), slot, role});
  size_ += slot.size();
  return slot;
}

}  // namespace orrery::transformer
