// When the window draws: at once after an event and as often as that needs, in a steady beat while something plays, and
// not at all while nothing happens or nobody can see it.
#pragma once

namespace orrery::gui {

class Rhythm {
 public:
  /// The frame of the event, and those in which popups and layouts that it opened settle.
  static constexpr int frames_after_an_event = 4;
  static constexpr int frames_after_news = 2;
  static constexpr double shortest_frame = 1.0 / 120;  // for drivers that do not wait for the display

  /// Of the display, in hertz; of a driver that draws on the processor a beat has less.
  void set_rate(double of_the_display, bool software);

  /// A person did something, or the window came, went or changed.
  void happened() { hot_ = frames_after_an_event; }
  /// Something came from another thread: a result, the end of a file. While something plays the beat shows it.
  void news() { fresh_ = frames_after_news; }
  /// A frame that began then and took so long, in seconds.
  void drawn(double began, double cost);

  struct Wants {
    double wake_after = 1e9;  ///< seconds from the last frame
    bool playing = false;
    bool hidden = false;  ///< nobody sees the window
  };
  /// When the next frame is due if nothing happens before: a time as in drawn(), far away where none is.
  double due(const Wants&) const;
  /// From one frame of what plays to the next.
  double beat() const;

 private:
  int hot_ = frames_after_an_event;
  int fresh_ = 0;
  double began_ = 0, cost_ = 0;
  double beat_ = 1.0 / 60;
};

}  // namespace orrery::gui
