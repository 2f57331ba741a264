// What came of what a person asked for: the outcome that is shown, how far the next one has come, what went wrong.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/comparing.h"
#include "app/gui/document.h"
#include "app/gui/reference_watch.h"
#include "app/gui/shader_watch.h"
#include "app/recipe/runner.h"

namespace orrery::gui {

class Computing {
 public:
  using Outcome = std::shared_ptr<const recipe::Outcome>;

  /// `wake` is called from other threads when there is something new to see.
  explicit Computing(const std::function<void()>& wake);

  /// Once per frame, in this order: what the clock and the disk changed; what is wanted now; what came of it, if that is
  /// something new worth a look; and, when that was taken, the two sides together.
  void look(double seconds, study::DeviceChoice);
  /// True: for this, what was paused is left.
  bool ask(const Side& live);
  Outcome news();
  void put_together(const std::optional<Side>& pinned, figure::CompareMode, const study::Study& open,
                    double seconds);
  /// Of news(): its figure is the live side's from now on, or why there is none.
  void take(const Outcome&);
  /// It is dealt with: nothing is wrong any more.
  void forgive() { error_ = {}; }

  bool busy() const { return runner_.busy() || comparing_.composing(); }
  double progress() const { return runner_.progress(); }
  std::optional<double> seconds_left() const { return runner_.seconds_left(); }
  /// It takes so long that one may want the machine for something else meanwhile.
  bool takes_long() const { return takes_long_; }
  bool can_rest() const { return runner_.busy(); }
  /// What was left while it was paused is paused again when it is asked for again, until somebody lets it go on.
  void pause(bool on);
  bool paused() const { return runner_.paused(); }
  /// For so long already that the figure shown is dimmed; shorter waits are not worth a flicker.
  bool stale() const { return stale_; }
  /// Nothing runs, and what is shown is of other settings: what was asked for has been stopped.
  bool left_behind() const;
  /// Gives up what is being computed; the last good figure stays. False: nothing was.
  bool cancel();
  /// Whether a figure of this study may come without anybody asking anew: it was not asked for yet, or is computed, or is
  /// there and was not looked at.
  bool awaits(const study::Study&) const;
  /// The same settings once more: after a stop, or when a file behind them has changed.
  void again();

  /// The last good outcome, of both sides where something is pinned; nullptr at the very start.
  const Outcome& shown() const { return shown_; }
  /// Of the live side alone.
  const Outcome& live() const { return live_; }
  const Complaint& error() const { return error_; }
  /// What is shown was never computed to its end.
  bool in_part() const { return live_ && live_->partial && !runner_.busy(); }

  /// What was computed for the live side is what the pinned side needs: see compare.h.
  void keep_pinned() { comparing_.keep(live_); }
  bool pinning() const { return comparing_.busy(); }
  Complaint pinned_error() const { return comparing_.error(); }
  /// The live side against the double reference.
  ReferenceWatch& reference() { return reference_; }
  const ReferenceWatch& reference() const { return reference_; }
  /// Shaders may change under the figure: frames are needed to see it.
  bool watches_shaders(study::DeviceChoice device) const {
    return shaders_.on() && device == study::DeviceChoice::gpu;
  }

 private:
  void go_on_with_asked();

  Outcome live_, shown_, seen_;
  std::optional<Side> asked_;  // last
  std::vector<Side> rested_;   // what was left while it was paused
  Complaint error_;
  bool stale_ = false, takes_long_ = false;
  ShaderWatch shaders_;
  Comparing comparing_;
  ReferenceWatch reference_;
  recipe::Runner runner_;  // last: its thread ends before what it calls goes
};

}  // namespace orrery::gui
