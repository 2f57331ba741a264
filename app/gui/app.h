// What the window is about, without any of its pixels: the document a person works on, what came of it, undo, playing.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "app/figure/layout.h"
#include "app/gui/document.h"
#include "app/gui/export_page.h"
#include "app/gui/history.h"
#include "app/gui/player.h"
#include "app/study/runner.h"
#include "app/study/study.h"

namespace orrery::gui {

/// The last thing that happened, said in the status line.
struct Notice {
  enum class Kind : std::uint8_t { none, done, error } kind = Kind::none;
  std::string text;
};

/// What is known of the graphics processor: asked once, beside the window.
struct GpuState {
  bool asked = false, available = false, software = false;
  std::string text;  ///< its name, or why there is none
};

class App {
 public:
  /// `wake` is called from other threads when there is something new to see.
  explicit App(std::function<void()> wake = {});

  const Document& document() const { return document_; }
  const study::Study& study() const { return *document_.live.study; }
  const parameter::Settings& settings() const { return document_.live.settings; }
  const figure::View& view() const { return document_.view; }

  /// The one way to change the document. `what` names the step in the menu ("Undo Base"); changes of one `gesture`, until
  /// end_gesture(), are one step; an empty gesture is a step of its own. No change, no step.
  void edit(std::string_view what, std::string_view gesture, const std::function<void(Document&)>& change);
  /// How the figure is looked at, as an edit.
  void show(const figure::View&, std::string_view gesture = {});

  /// The study that is there before anything happened: nothing to undo.
  void start_with(const study::Study&);
  /// A study with the settings it had when it was last left.
  void open(const study::Study&);
  /// A recipe, or a figure that carries one. What is wrong with it becomes the notice.
  void open_file(const std::filesystem::path&);
  /// A file from outside: a recipe or a figure is opened, any other is for the study's own file parameter.
  void take_file(const std::filesystem::path&);
  void open_neighbour(int step);

  /// Sets one parameter. Changes of one gesture are one step of undo. A value that is not allowed becomes the
  /// notice, and false.
  bool change(std::string_view name, const parameter::Value&, std::string_view gesture = {});
  bool change_text(std::string_view name, std::string_view text);
  void reset(std::string_view name);
  /// What is wrong with this parameter: what was last typed for it and refused, or what the study says of it.
  /// Empty: nothing.
  std::string complaint(const parameter::Parameter&) const;
  void try_out(const study::Try&);
  void end_gesture() { history_.end_gesture(); }
  bool undo();
  bool redo();
  const History& history() const { return history_; }

  /// Starts what is not playing, stops what is.
  void toggle_play(const parameter::Parameter&);
  /// The same for the study's own moving parameter, if it has one.
  void toggle_play();
  void stop_playing() { player_.stop(); }
  const parameter::Parameter* playing() const { return player_.playing(); }

  void set_device(study::DeviceChoice);
  study::DeviceChoice device() const { return document_.live.device; }

  /// Once per frame: moves what plays, asks for what is wanted, takes what came.
  void update(double seconds);
  bool busy() const { return runner_.busy(); }
  /// For so long already that the figure shown is dimmed; shorter waits are not worth a flicker.
  bool stale() const { return stale_; }
  double progress() const { return runner_.progress(); }

  /// The last good outcome, perhaps of older settings or, for a moment, of the study before; nullptr at the
  /// very start.
  const std::shared_ptr<const study::Outcome>& shown() const { return shown_; }
  /// The same if it is of the study that is open, else nullptr.
  const study::Outcome* result() const;
  /// Why the newest request has no figure; empty when it has.
  const std::string& error() const { return error_; }

  Preferences preferences;
  Notice notice;
  ExportPage page;
  GpuState gpu;

 private:
  void become(Document);
  void refuse(std::string_view name, const std::exception&);
  const parameter::Parameter* declared(std::string_view name) const;

  Document document_;
  std::map<const study::Study*, parameter::Settings> left_;  // as each study was last left
  History history_;
  Player player_;
  std::shared_ptr<const study::Outcome> shown_, seen_;
  std::string error_;
  struct {
    std::string name, text;
  } refused_;  // the parameter that was last given a value that is not allowed
  bool stale_ = false;
  study::Runner runner_;  // last: its thread ends before what it calls goes
};

}  // namespace orrery::gui
