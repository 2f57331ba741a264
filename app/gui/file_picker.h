// Looking for a file: folders, what is in them, and the path as it is typed. A file that holds many tensors is asked in a
// second step which one is meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/gui/folder.h"
#include "app/gui/ui.h"
#include "app/study/tensor_file.h"

namespace orrery::gui {

class FilePicker {
 public:
  /// `purpose` is whose file it is to be; `takes` as Parameter::takes. It begins where `now` lies, or where one was last
  /// found. The folders of `recent` files stand at its side.
  void open(std::string_view purpose, std::string_view takes, const std::string& now,
            const std::vector<std::string>& recent);
  /// The second step alone: which tensor of that file.
  void ask_tensor(std::string_view purpose, const std::string& file);
  const std::string& purpose() const { return purpose_; }
  /// The path that was chosen in this frame, with "#tensor" behind one of many; else empty.
  std::string draw(Ui&);

 private:
  void go(const std::string& folder);
  void retype();
  void read();
  void keys(Ui&);
  void places(Ui&, float width, float height);
  bool place(Ui&, const std::string& path, const std::string& text, float width);
  void rows(Ui&, float width, float height);
  void row(Ui&, std::size_t i, float width);
  void foot(Ui&, float width);
  std::string chosen();
  void look_inside(const std::string& path);
  void tensors(Ui&, float width, float height);
  std::string chosen_tensor() const;
  std::vector<std::size_t> fitting() const;
  std::vector<std::size_t> fitting_tensors() const;

  bool wanted_ = false;
  std::string purpose_, takes_;
  std::string typed_;   // as it stands in the field
  std::string folder_;  // whose entries these are, "/" at its end
  std::string filter_;  // how the names begin that are shown
  std::string last_folder_;
  std::vector<std::string> recent_;
  Folder listing_;
  bool all_ = false;
  int selected_ = -1;  // among those that are shown
  bool reveal_ = false;
  bool take_ = false;  // the selected one was chosen by a double click

  std::string file_;  // the one whose tensors are shown; empty: the first step
  std::vector<study::TensorEntry> tensors_;
  std::string search_, error_;
};

}  // namespace orrery::gui
