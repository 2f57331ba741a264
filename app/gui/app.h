// What the window is about, without any of its pixels: the document a person works on, what came of it, undo, playing.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/figure/layout.h"
#include "app/gui/chance.h"
#include "app/gui/computing.h"
#include "app/gui/document.h"
#include "app/gui/errands.h"
#include "app/gui/export_page.h"
#include "app/gui/exporting.h"
#include "app/gui/history.h"
#include "app/gui/inquiry.h"
#include "app/gui/notice.h"
#include "app/gui/playing.h"
#include "app/gui/session.h"
#include "app/gui/thumbnails.h"
#include "app/recipe/presets.h"
#include "app/study/study.h"

namespace orrery::gui {

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
  /// What a recipe describes, with its page, as an edit. `change`: what else belongs to the same step.
  void open_recipe(const recipe::Recipe&, std::string_view what,
                   const std::function<void(Document&)>& change = {});
  /// Opening it now would change nothing.
  bool shows(const recipe::Recipe&) const;
  enum class Ask : std::uint8_t { nothing, which_tensor };
  /// Any file from outside, typed, chosen, dropped or given on the command line. A recipe, or a figure that carries one, is
  /// opened, and a figure is then the file that is exported to; a file of several figures goes to the tray, and its first one
  /// is opened. Any other is for the open study, or for the one whose file parameter it fits. One tensor of many may be named
  /// behind a #; without that `question` asks for it, of a folder as downloaded too, and of a .npy what it is for.
  /// `Ask::nothing`: it was asked already. It is read on another thread: what takes longer than `wait` is taken by a later
  /// update(), and the one that was asked for before is left. What is wrong becomes the notice, and refusal().
  void take_file(const std::filesystem::path&, std::chrono::milliseconds wait = Inquiry::glance,
                 Ask = Ask::which_tensor);
  /// A file for a study's parameter; the study is opened with it, as one step. False: refused, and the notice says why.
  bool hand_over(const study::Study&, const parameter::Parameter&, const std::string& path);
  /// A file is still being read.
  bool asking() const { return inquiry_.pending(); }
  void leave_file();
  /// What was wrong with the file that was asked for last; empty: nothing.
  const Complaint& refusal() const { return refusal_; }
  /// All that take_file can do something with, as Parameter::takes has it.
  static std::string all_takes();
  /// Several at once: recipes and figures go to the tray; else the first is taken, and the notice says so.
  void take_files(std::vector<std::filesystem::path>);
  /// A file of many tensors was taken: which of them is still to be asked.
  std::optional<std::string> question;
  void open_neighbour(int step);

  /// Sets one parameter. Changes of one gesture are one step of undo. A value that is not allowed becomes the
  /// notice, and false.
  bool change(std::string_view name, const parameter::Value&, std::string_view gesture = {});
  bool change_text(std::string_view name, std::string_view text);
  /// One number of a vector.
  bool change_component(const parameter::Parameter&, std::size_t i, std::string_view text);
  void reset(std::string_view name);
  /// What is wrong with this parameter: what was last typed for it and refused, or what the study says of it.
  /// Without the parameter's name, which stands beside. Empty: nothing.
  Complaint complaint(const parameter::Parameter&) const;
  /// Whether it was given a value that is not allowed, and nothing since; and: nothing of that any more.
  bool refused(const parameter::Parameter& p) const { return refused_.name == p.name; }
  void take_back();
  void try_out(const study::Try&);
  /// What a try would make of the settings, but for the locked. Throws InvalidArgument.
  parameter::Settings tried(const study::Try&) const;
  /// The last thing that was tried, while the settings are as it left them.
  struct Tried {
    const study::Try* suggestion = nullptr;
    parameter::Settings before, after;
  };
  const Tried* just_tried() const;
  /// As it was before that.
  void untry();
  /// All but the locked parameters; one step of undo each.
  void reset_all();
  void apply(const recipe::Preset&);
  /// The name of the preset that this study was given last; empty: none, or all was reset since.
  std::string applied_preset() const;
  /// Values by chance, tried again until the study takes them.
  void randomise();
  bool locked(const parameter::Parameter&) const;
  void lock(const parameter::Parameter&, bool);
  void end_gesture() { history_.end_gesture(); }
  /// Once per frame: see History::hand.
  void hand(bool down, double seconds) { history_.hand(down, seconds); }
  bool undo();
  bool redo();
  const History& history() const { return history_; }

  /// Starts what is not playing, stops what is.
  void toggle_play(const parameter::Parameter&);
  /// The same for the study's own moving parameter, if it has one.
  void toggle_play();
  const parameter::Parameter* playing() const { return playing_.now(); }
  /// What plays, or did and was stopped: see Playing.
  const parameter::Parameter* moving() const { return playing_.moving(); }
  void dismiss_motion() { playing_.dismiss(); }
  /// Sets the preference; what plays stops where it is.
  void reduce_motion(bool on);
  Motion motion(const parameter::Parameter&) const;
  void set_motion(const parameter::Parameter&, const Motion&, std::string_view gesture = {});

  void set_device(study::DeviceChoice);
  study::DeviceChoice device() const { return document_.live.device; }

  /// Once per frame: moves what plays, asks for what is wanted, takes what came.
  void update(double seconds);
  bool busy() const { return computing_.busy(); }
  /// Stops what is being computed; the last good figure stays, and the notice says so.
  void cancel();
  /// The same settings once more: after a stop, or when a file behind them has changed.
  void compute_again() { computing_.again(); }
  /// For so long already that the figure shown is dimmed; shorter waits are not worth a flicker.
  bool stale() const { return computing_.stale(); }
  /// The figure is of the settings before, and will stay so until somebody asks again.
  bool left_behind() const { return result() && computing_.left_behind(); }
  /// What is shown was never computed to its end.
  bool in_part() const;
  double progress() const { return computing_.progress(); }
  std::optional<double> seconds_left() const { return computing_.seconds_left(); }
  /// What is computed rests, and goes on; offered where it takes longer than two seconds. Who leaves it for something else is
  /// told so, and finds it paused when he is back.
  bool takes_long() const { return computing_.takes_long(); }
  bool can_rest() const { return computing_.can_rest(); }
  bool paused() const { return computing_.paused(); }
  void pause(bool on) { computing_.pause(on); }

  /// The last good outcome, perhaps of older settings or, for a moment, of the study before; nullptr at the
  /// very start. Where something is pinned it is of both sides.
  const std::shared_ptr<const recipe::Outcome>& shown() const { return computing_.shown(); }
  /// The same if it is of the study that is open, else nullptr.
  const recipe::Outcome* result() const;
  /// The same for the pane in the middle: of another study only for as long as that of the open one may still come, and for a
  /// moment, which is less of a flicker than an empty page. Where it was stopped or failed there is none.
  std::shared_ptr<const recipe::Outcome> pictured() const;
  /// It may still come.
  bool awaits_figure() const { return computing_.awaits(study()); }
  /// Why the newest request has no figure; empty when it has.
  const Complaint& error() const { return computing_.error(); }

  /// What was computed for the live side is what the pinned side needs: see compare.h.
  void keep_pinned() { computing_.keep_pinned(); }
  bool pinning() const { return computing_.pinning(); }
  Complaint pinned_error() const { return computing_.pinned_error(); }
  /// The live side against the double reference.
  ReferenceWatch& reference() { return computing_.reference(); }
  const ReferenceWatch& reference() const { return computing_.reference(); }
  /// Shaders may change under the figure: frames are needed to see it.
  bool watches_shaders() const { return computing_.watches_shaders(device()); }

  /// All that is kept from one start to the next, but for the window's own size.
  Session session() const;
  /// Back to where a session was. After an unexpected end that is an edit: undoing it is a fresh start.
  void restore(const Session&, bool as_edit);
  /// What another window had: its document as an edit, with this one's tray behind its own; its settings of other studies
  /// where this window has not changed them.
  void restore_beside(const Session&);
  /// The document of a first start, as an edit; preferences stay.
  void start_afresh();
  /// To the front of the files that were opened or written last.
  void remember_file(const std::filesystem::path&);
  const std::vector<std::string>& recent() const { return recent_; }

  /// What is shown, on the page it would be exported on. Only where there is a result; throws InvalidArgument for a page whose
  /// size was typed wrong.
  recipe::Recipe recipe() const;
  /// The way of what plays, or would if it were asked to; nothing where nothing can.
  std::optional<recipe::Animation> animation() const;
  /// What is shown, to a file, in a folder that is made where it is missing; the notice says what came of it. Throws
  /// InvalidArgument or Failure for what could not work.
  void write(const std::filesystem::path& target);
  /// The page names the file that this study was last written to: it may be replaced unasked.
  bool written_before() const { return exporting_.wrote(export_target(page, study())); }
  /// The page names the file that this study came from, or was last written to.
  bool aims_at_its_file() const { return exporting_.belongs_to(export_target(page, study())); }
  /// Where this study was to be written last, if that failed or was stopped: the dialog offers it again, though it is nobody's
  /// default. Empty: it was written.
  const std::filesystem::path& unwritten() const { return exporting_.unwritten(); }
  /// All of the tray, each into the folder under a name made of its title, with an ending such as "pdf".
  void write_tray(const std::filesystem::path& folder, std::string_view ending, const TrayPage& = {});
  /// The file of recipes that the tray was last opened from or saved to; empty: none.
  std::filesystem::path tray_file;
  const ExportJob& exporting() const { return exporting_.job(); }
  Thumbnails thumbnails;
  Errands errands;
  void cancel_export() { exporting_.cancel(); }
  /// What was to be written last was stopped, or a file of it could not be written.
  bool export_left_undone() const { return exporting_.left_undone(); }
  /// Stops what is being written, waits for it, and tells what came of it.
  std::optional<ExportReport> end_export() { return exporting_.end(); }

  /// The one way to say what happened: in the status line, in place of what it said before.
  void say(Notice notice) { notice_ = std::move(notice); }
  void say(Notice::Kind kind, std::string text) { notice_ = {kind, std::move(text)}; }
  void say(Notice::Kind kind, const Complaint& parts) { notice_ = {kind, english(parts), parts}; }
  /// What went wrong.
  void say(const Complaint& wrong) { say(Notice::Kind::error, wrong); }
  void say(const std::exception& error) { say(complaint_of(error)); }
  /// It is no longer true, or no longer matters.
  void hush() { notice_ = {}; }
  const Notice& notice() const { return notice_; }

  Preferences preferences;
  ExportPage page;
  GpuState gpu;

 private:
  void become(Document);
  void take_outcome(const Computing::Outcome&);
  void carry_hidden();
  void play(const parameter::Value&);
  void refuse(std::string_view name, const std::exception&);
  void stand_still(std::string_view gesture);
  const parameter::Parameter* declared(std::string_view name) const;
  std::string key(const parameter::Parameter&) const;
  std::set<std::string> locked_names() const;
  void ask_file(const std::filesystem::path&, std::size_t more, std::chrono::milliseconds wait, Ask);
  void inquire(const std::filesystem::path&, std::function<Inquiry::Then()>, std::chrono::milliseconds wait);
  void take_recipes(const std::filesystem::path&, const std::vector<recipe::NamedRecipe>&);
  void collect(const std::vector<std::filesystem::path>&, const std::vector<recipe::NamedRecipe>&);
  bool take_input(const std::string& path, Ask);
  void aim_at(const std::filesystem::path&);
  void become_by_step(std::string_view what, parameter::Settings,
                      const std::optional<std::string>& preset = {});
  bool try_chance_again(const recipe::Outcome&);
  void report(const Exporting::Ended&);

  Notice notice_;
  Document document_;
  std::map<const study::Study*, parameter::Settings> left_;  // as each study was last left
  std::vector<std::string> recent_;
  Chance chance_;
  History history_;
  std::shared_ptr<const recipe::Outcome>
      marks_of_;  // what the hidden marks are numbered by; none: that to come
  std::optional<Tried> tried_;
  std::string stilled_by_;  // the gesture that stopped what played: while it lasts, the notice says so
  struct {
    std::string name;
    Complaint complaint;
  } refused_;  // the parameter that was last given a value that is not allowed
  std::function<void()> wake_;
  Inquiry inquiry_;      // the file that was asked for last
  std::string reading_;  // what the notice says meanwhile
  Complaint refusal_;    // what was wrong with it
  Playing playing_;
  Exporting exporting_;
  Computing computing_;  // last: its threads end before what they call goes
};

}  // namespace orrery::gui
