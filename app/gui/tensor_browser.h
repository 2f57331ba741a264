// What a file of tensors holds: a list to search, by layers; beside it the one that is selected, with its statistics, how its
// numbers are spread, and the studies that it can be given to. Only what is selected is read, and only while it is.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/gui/file_uses.h"
#include "app/gui/tensor_figure_view.h"
#include "app/gui/tensor_lookup.h"
#include "app/gui/tensor_rows.h"
#include "app/gui/ui.h"
#include "app/study/tensor_file.h"

namespace orrery::gui {

class TensorBrowser {
 public:
  /// `uses`: what a tensor can be given to besides what the dialog is for.
  void show(std::string path, study::TensorFile, std::vector<FileUse> uses);
  void leave();
  bool shown() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

  /// Arrows choose, Left and Right fold; true where Enter or a double click chose a tensor.
  bool keys(Ui&);
  /// PATH#NAME of the tensor that is selected, the path alone of a .npy; empty: none is.
  std::string chosen() const;
  /// Down to `bottom`; `fault` draws what was wrong, below the field. True where a double click or Enter chose.
  bool draw(Ui&, float width, float bottom, const std::function<void()>& fault);
  /// One of the uses was pressed, since this was asked last.
  std::optional<FileUse> take_use();

 private:
  void find_rows();
  const TensorRow* selected_row() const;
  void fold(const std::string& layer);
  void list(Ui&, ImVec2 size);
  void head_row(Ui&, std::size_t i, float width);
  void tensor_row(Ui&, std::size_t i, float width);
  void detail(Ui&, ImVec2 size);
  void fact(Ui&, const std::string& label, const std::string& value);
  void progress(Ui&);
  void offer_uses(Ui&);

  std::string path_;
  std::vector<study::TensorEntry> tensors_;
  std::vector<Phrase> remarks_;
  std::vector<FileUse> uses_;
  std::string search_;
  std::set<std::string> unfolded_;
  std::vector<TensorRow> rows_;
  int selected_ = -1;  // of the rows
  bool reveal_ = false;
  bool taken_ = false;  // by a double click
  std::optional<FileUse> use_;
  TensorLookup lookup_;
  TensorFigureView figure_;
};

}  // namespace orrery::gui
