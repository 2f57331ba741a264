// Looking for a file or a folder: folders, what is in them, and the path as it is typed. A file that holds many tensors is
// browsed in a second step: which one is meant? What the disk tells is asked for by an Inquiry: a place that does not answer
// leaves the dialog as it is.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/folder.h"
#include "app/gui/inquiry.h"
#include "app/gui/tensor_browser.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class FilePicker {
 public:
  /// What is looked for, and where it begins.
  struct Search {
    std::string title;                  ///< English
    std::string purpose{};              ///< whose file it is to be
    std::string takes{};                ///< as Parameter::takes
    std::string now{};                  ///< it begins where this lies; empty: where one was last found
    std::vector<std::string> recent{};  ///< files of late: they, and their folders, stand at the side
    bool folders = false;               ///< a folder is looked for; one that is not there yet may be named
    bool uses = false;  ///< a tensor may be given to any study that takes one: take_use() says to which
    const study::Study* open = nullptr;  ///< whose uses stand first
  };
  void open(const Search&);
  /// The second step alone: which tensor of that file.
  void ask_tensor(const Search&, const std::string& file);
  /// A tensor is being chosen in that step.
  bool browsing() const { return browser_.shown(); }
  /// What a tensor, PATH#NAME, was given to since this was asked last; the dialog is closed then.
  std::optional<std::pair<FileUse, std::string>> take_use();
  const std::string& purpose() const { return search_for_.purpose; }

  /// What is done with a chosen path ("#tensor" stands behind one of many). It says why it was refused, and is shown that
  /// below the field while the dialog stays; empty: it was taken; nothing: that is not known yet, and it is asked again in
  /// the next frame.
  using Taker = std::function<std::optional<Complaint>(const std::string& path)>;
  void draw(Ui&, const Taker&);
  /// A path was chosen, and is not known to be taken yet.
  bool offering() const { return !offered_.empty(); }

 private:
  void go(const std::string& folder);
  void retype();
  void read(std::vector<std::string> starts = {});
  void take_listing(const std::string& folder, Folder listing);
  void refuse(const Complaint& why);
  void close();
  void hand_on(const Taker&);
  void keys(Ui&);
  void body(Ui&, float width, float bottom);
  void places(Ui&, float width, float height);
  bool place(Ui&, const std::string& path, const std::string& text, float width);
  void recent_files(Ui&, float width);
  void rows(Ui&, float width, float height);
  void row(Ui&, std::size_t i, float width);
  void foot(Ui&, float width);
  void which_files(Ui&, ImVec2 at, float width, float height);
  void fault(Ui&);
  void ask_again(Ui&);
  void choose();
  std::string chosen_folder() const;
  void look_at(const std::string& path);
  void browse(const std::string& path, study::TensorFile);
  std::vector<std::size_t> fitting() const;

  bool wanted_ = false;
  Search search_for_;
  std::string typed_;   // as it stands in the field
  std::string folder_;  // whose entries these are, "/" at its end
  std::string base_;    // where typing began: what is relative begins there
  std::string filter_;  // how the names begin that are shown
  std::string last_folder_;
  Folder listing_;
  bool all_ = false;
  bool fresh_ = true;  // nothing was typed yet: the field opens with all of its text selected
  int selected_ = -1;  // among those that are shown
  bool reveal_ = false;
  bool take_ = false;          // the selected one was chosen by a double click
  std::string pressed_;        // one of the recent files, or what was chosen and looked at
  std::string offered_;        // what the taker has not said anything of yet
  bool again_ = false;         // it was refused: the field is opened anew
  bool wanted_field_ = false;  // the second step began: its field has the keyboard
  Inquiry inquiry_;            // for a folder's names, or what a chosen path is

  TensorBrowser browser_;  // the second step, while it shows anything
  std::optional<std::pair<FileUse, std::string>> use_;
  Complaint error_;
};

}  // namespace orrery::gui
