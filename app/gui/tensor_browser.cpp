#include "app/gui/tensor_browser.h"

#include <algorithm>
#include <utility>

#include "app/gui/folder.h"
#include "app/gui/form.h"
#include "app/gui/marks.h"
#include "app/gui/picker_row.h"
#include "app/gui/widgets.h"
#include "app/language/error.h"

namespace orrery::gui {
namespace {

/// So many are shown at once, whatever their layers.
constexpr std::size_t few = 40;
/// Design units: from this width on there is room for the list and the detail side by side.
constexpr float wide_enough = 620, detail_share = 0.42f, between = 16;

}  // namespace

void TensorBrowser::show(std::string path, study::TensorFile file, std::vector<FileUse> uses) {
  lookup_.drop();
  path_ = std::move(path);
  tensors_ = std::move(file.tensors);
  remarks_ = std::move(file.remarks);
  uses_ = std::move(uses);
  search_.clear();
  unfolded_.clear();
  use_.reset();
  taken_ = false;
  if (tensors_.size() <= few)
    for (const study::TensorEntry& each : tensors_) unfolded_.insert(layer_of(each.name));
  find_rows();
}

void TensorBrowser::leave() {
  lookup_.drop();
  path_.clear();
  tensors_.clear();
  rows_.clear();
  selected_ = -1;
}

/// Anew, the first tensor selected.
void TensorBrowser::find_rows() {
  rows_ = tensor_rows(tensors_, search_, unfolded_);
  const auto first = std::ranges::find(rows_, false, &TensorRow::head);
  selected_ = rows_.empty() ? -1 : first == rows_.end() ? 0 : static_cast<int>(first - rows_.begin());
  reveal_ = true;
}

const TensorRow* TensorBrowser::selected_row() const {
  const bool there = selected_ >= 0 && selected_ < static_cast<int>(rows_.size());
  return there ? &rows_[static_cast<std::size_t>(selected_)] : nullptr;
}

std::string TensorBrowser::chosen() const {
  const TensorRow* row = selected_row();
  if (!row || row->head) return {};
  return study::holds_tensors(path_) ? path_ + "#" + tensors_[row->tensor].name : path_;
}

std::optional<FileUse> TensorBrowser::take_use() {
  return std::exchange(use_, std::nullopt);
}

/// The head stays selected, wherever it is then.
void TensorBrowser::fold(const std::string& of) {
  const std::string layer = of;  // its row goes
  if (!unfolded_.erase(layer)) unfolded_.insert(layer);
  rows_ = tensor_rows(tensors_, search_, unfolded_);
  const auto head =
      std::ranges::find_if(rows_, [&](const TensorRow& each) { return each.head && each.layer == layer; });
  selected_ = static_cast<int>(head - rows_.begin());
}

bool TensorBrowser::keys(Ui& ui) {
  const int before = selected_;
  if (ui.take(Key::down)) ++selected_;
  if (ui.take(Key::up)) --selected_;
  if (ui.take(Key::page_down)) selected_ += 10;
  if (ui.take(Key::page_up)) selected_ -= 10;
  if (!rows_.empty() && selected_ != before) {
    selected_ = std::clamp(selected_, 0, static_cast<int>(rows_.size()) - 1);
    reveal_ = true;
  }
  const bool in_list = ui.focus.on("tensor-search") || ui.focus.nowhere();
  const TensorRow* row = selected_row();
  if (!row || !in_list) return false;
  // In what is looked for the arrows move the caret, and all layers that have any of it are unfolded.
  if (search_.empty() && row->head && ui.take(row->folded ? Key::right : Key::left)) {
    fold(row->layer);
    return false;
  }
  if (!ui.take_press({Key::enter})) return false;
  if (!row->head) return true;
  if (search_.empty()) fold(row->layer);
  return false;
}

/// The head of a layer: how many tensors it has, and how large they are.
void TensorBrowser::head_row(Ui& ui, std::size_t i, float width) {
  const TensorRow& row = rows_[i];
  const Press p = picker_row(ui, "layer:" + row.layer, width, static_cast<int>(i) == selected_);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Face &words = ui.faces.words, &numbers = ui.faces.small_numbers;
  const float line = p.high.y - p.low.y, inset = ui.px(picker_inset), end = p.high.x - inset;
  const ImU32 ink = color(ui.tokens.secondary);
  const float side = ui.px(4), x = p.low.x + inset + side, y = (p.low.y + p.high.y) / 2;
  if (row.folded)
    draw.AddTriangleFilled({x - side / 2, y - side}, {x + side / 2, y}, {x - side / 2, y + side}, ink);
  else
    draw.AddTriangleFilled({x - side, y - side / 2}, {x + side, y - side / 2}, {x, y + side / 2}, ink);
  const std::string size = bytes_text(row.bytes),
                    count = row.tensors == 1 ? ui.say("{} tensor", 1) : ui.say("{} tensors", row.tensors);
  put(draw, numbers, end, baseline_in(numbers, p.low.y, line), color(ui.tokens.faint), size, Align::right);
  const float count_end = end - ui.px(68);
  put(draw, words, count_end, baseline_in(words, p.low.y, line), color(ui.tokens.faint), count, Align::right);
  const float name = p.low.x + inset + ui.px(16);
  put(draw, ui.faces.words_bold, name, baseline_in(ui.faces.words_bold, p.low.y, line), color(ui.tokens.text),
      fitted_end(ui.faces.words_bold, row.layer, count_end - words.width(count) - inset - name));
  if (!p.clicked) return;
  selected_ = static_cast<int>(i);
  if (search_.empty()) fold(row.layer);
}

/// Name, type, shape, size; a name below its layer's head without what the head says already.
void TensorBrowser::tensor_row(Ui& ui, std::size_t i, float width) {
  const TensorRow& row = rows_[i];
  const study::TensorEntry& entry = tensors_[row.tensor];
  const Press p = picker_row(ui, "tensor:" + entry.name, width, static_cast<int>(i) == selected_);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const Face &words = ui.faces.words, &numbers = ui.faces.small_numbers;
  const float line = p.high.y - p.low.y, inset = ui.px(picker_inset), end = p.high.x - inset;
  const float baseline = baseline_in(numbers, p.low.y, line);
  const ImU32 faint = color(ui.tokens.faint);
  const std::string size = bytes_text(entry.bytes);
  put(draw, numbers, end, baseline, faint, size, Align::right);
  const float shape_end = end - ui.px(68), type_end = shape_end - ui.px(96);
  put(draw, numbers, shape_end, baseline, faint, fitted(numbers, entry.shape, ui.px(92)), Align::right);
  put(draw, numbers, type_end, baseline, faint, fitted(numbers, entry.dtype, ui.px(64)), Align::right);
  const float name = p.low.x + inset + (row.layer.empty() ? 0 : ui.px(16));
  const std::string said = row.layer.empty() ? entry.name : entry.name.substr(row.layer.size() + 1);
  put(draw, words, name, baseline_in(words, p.low.y, line), color(ui.tokens.text),
      fitted_end(words, said, type_end - numbers.width(entry.dtype) - inset - name));
  if (p.clicked) selected_ = static_cast<int>(i);
  taken_ = taken_ || p.double_clicked;
}

void TensorBrowser::list(Ui& ui, ImVec2 size) {
  ImGui::BeginChild("tensors", size);
  const float inner = room(ui), tall = ui.px(picker_row_height);
  if (std::exchange(reveal_, false)) reveal_picker_row(ui, selected_);
  if (rows_.empty())
    put(*ImGui::GetWindowDrawList(), ui.faces.words, ImGui::GetWindowPos().x + ui.px(picker_inset),
        ImGui::GetWindowPos().y + ui.px(18), color(ui.tokens.faint),
        search_.empty() ? ui.say("no tensors in it") : ui.say("no tensor has that in its name"));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows_.size()), tall);
  while (clipper.Step())
    for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at) {
      // A head that was clicked may have taken rows away.
      const auto i = static_cast<std::size_t>(at);
      if (i >= rows_.size()) break;
      if (rows_[i].head)
        head_row(ui, i, inner);
      else
        tensor_row(ui, i, inner);
    }
  clipper.End();
  ImGui::EndChild();
}

bool TensorBrowser::draw(Ui& ui, float width, float bottom, const std::function<void()>& fault) {
  const std::string before = search_;
  const Field field = text_field(ui, "tensor-search", search_, ui.say("part of a tensor's name"), width);
  if (search_ != before) find_rows();
  fault();
  for (const Phrase& remark : remarks_) {
    gap(ui, 4);
    wrapped_print(ui, ui.faces.words, ui.tokens.secondary, language::say_phrase(ui.language, remark));
    ui.items.mark_last("tensor-remark");
  }
  gap(ui, 8);
  const float height = std::max(ui.px(picker_row_height), bottom - ImGui::GetCursorPosY());
  const bool both = width >= ui.px(wide_enough);
  const float space = ui.px(between), side = both ? std::floor(width * detail_share) : 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  list(ui, {both ? width - side - space : width, height});
  lookup_.want(both ? chosen() : std::string());
  if (lookup_.pending()) ui.await();
  if (both) {
    ImGui::GetWindowDrawList()->AddLine({at.x + width - side - space / 2, at.y},
                                        {at.x + width - side - space / 2, at.y + height},
                                        color(ui.tokens.line), ui.scale);
    ImGui::SetCursorScreenPos({at.x + width - side, at.y});
    detail(ui, {side, height});
  }
  const bool chose = std::exchange(taken_, false) || field.entered;
  return chose && !chosen().empty();
}

}  // namespace orrery::gui
