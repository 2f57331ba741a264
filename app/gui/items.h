// Where each control stood in the last frame, by name: how tests find what to click.
#pragma once

#include <imgui.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::gui {

struct ItemBox {
  ImVec2 low, high;
  bool holds(ImVec2 p) const { return p.x >= low.x && p.x < high.x && p.y >= low.y && p.y < high.y; }
  ImVec2 centre() const { return {(low.x + high.x) / 2, (low.y + high.y) / 2}; }
};

class Items {
 public:
  void begin_frame() {
    boxes_.clear();
    doubled_.clear();
  }
  void mark(std::string_view name, ImVec2 low, ImVec2 high) {
    const auto [at, fresh] = boxes_.insert_or_assign(std::string(name), ItemBox{low, high});
    if (!fresh) doubled_ = at->first;
  }
  void mark_last(std::string_view name) { mark(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()); }
  std::optional<ItemBox> find(std::string_view name) const {
    const auto it = boxes_.find(std::string(name));
    return it == boxes_.end() ? std::nullopt : std::optional(it->second);
  }
  const std::map<std::string, ItemBox>& all() const { return boxes_; }
  /// A name that two controls had in the last frame; empty: none.
  const std::string& doubled() const { return doubled_; }

 private:
  std::map<std::string, ItemBox> boxes_;
  std::string doubled_;
};

}  // namespace orrery::gui
