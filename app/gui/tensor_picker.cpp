// The second step of looking for a file: which of its tensors.
#include <algorithm>
#include <string_view>
#include <utility>

#include "app/gui/file_picker.h"
#include "app/gui/picker_row.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

bool holds(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(a) == lower(b);
  };
  return std::ranges::search(text, part, same).begin() != text.end() || part.empty();
}

}  // namespace

void FilePicker::ask_tensor(const Search& search, const std::string& file) {
  open(search);
  look_at(file);
}

void FilePicker::show_tensors(const std::string& path, std::vector<study::TensorEntry> tensors) {
  tensors_ = std::move(tensors);
  file_ = path;
  search_.clear();
  selected_ = tensors_.empty() ? -1 : 0;
  reveal_ = true;
}

std::vector<std::size_t> FilePicker::fitting_tensors() const {
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    if (holds(tensors_[i].name, search_)) some.push_back(i);
  return some;
}

std::string FilePicker::chosen_tensor() const {
  const std::vector<std::size_t> some = fitting_tensors();
  if (selected_ < 0 || selected_ >= static_cast<int>(some.size())) return {};
  return file_ + "#" + tensors_[some[static_cast<std::size_t>(selected_)]].name;
}

/// The second step: name, type and shape of each tensor.
void FilePicker::tensors(Ui& ui, float width, float bottom) {
  const std::string before = search_;
  const Field field = text_field(ui, "tensor-search", search_, ui.say("part of a tensor's name"), width);
  if (search_ != before) selected_ = fitting_tensors().empty() ? -1 : 0;
  fault(ui);
  gap(ui, 6);
  ImGui::BeginChild("tensors", {width, bottom - ImGui::GetCursorPosY()});
  const std::vector<std::size_t> some = fitting_tensors();
  const float inner = room(ui), tall = ui.px(picker_row_height);
  if (std::exchange(reveal_, false)) reveal_picker_row(ui, selected_);
  take_ = take_ || field.entered;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(some.size()), tall);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const study::TensorEntry& entry = tensors_[some[static_cast<std::size_t>(i)]];
      const Press p = picker_row(ui, "tensor:" + entry.name, inner, i == selected_);
      ImDrawList& draw = *ImGui::GetWindowDrawList();
      const Face &words = ui.faces.words, &numbers = ui.faces.small_numbers;
      const float line = p.high.y - p.low.y, end = p.high.x - ui.px(picker_inset);
      const std::string kind = entry.dtype + "  " + entry.shape;
      const float kind_width = numbers.width(kind);
      put(draw, numbers, end, baseline_in(numbers, p.low.y, line), color(ui.tokens.faint), kind,
          Align::right);
      put(draw, words, p.low.x + ui.px(picker_inset), baseline_in(words, p.low.y, line),
          color(ui.tokens.text),
          fitted_end(words, entry.name, end - kind_width - ui.px(3 * picker_inset) - p.low.x));
      if (p.clicked) selected_ = i;
      take_ = take_ || p.double_clicked;
    }
  clipper.End();
  ImGui::EndChild();
}

}  // namespace orrery::gui
