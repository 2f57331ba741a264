// What every panel draws with: faces, colours, pictures, and the scale of the interface.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/gui/chord.h"
#include "app/gui/focus.h"
#include "app/gui/fonts.h"
#include "app/gui/items.h"
#include "app/gui/picture_cache.h"
#include "app/gui/sections.h"
#include "app/gui/style.h"
#include "app/language/language.h"

namespace orrery::gui {

/// A key went down, or repeats. Kept as an event: a short press between two slow frames must not be lost.
using KeyPress = Chord;

struct Ui {
  explicit Ui(Textures& textures) : pictures(textures) {}

  float scale = 1;   ///< layout units to a pixel of the design
  float raster = 1;  ///< device pixels to a layout unit
  Faces faces;
  MoreGlyphs glyphs;  ///< that were asked for while drawing
  const figure::Theme* theme = nullptr;
  Tokens tokens;
  PictureCache pictures;
  Items items;
  Sections sections;

  /// A length of the design, on whole layout units.
  float px(float design) const { return std::floor(design * scale + 0.5f); }

  /// Builds faces and style for a scale; the caller makes the atlas's texture anew.
  void set_scale(float layout, float device);
  /// True where a text wants characters that the faces did not have: they are made anew, and the caller makes the
  /// atlas's texture anew. Between two frames.
  bool renew_faces();
  void set_theme(const figure::Theme&);
  /// Before the panels of a frame, and after them.
  void begin_frame();
  void end_frame();

  /// Every text that a person reads in the window goes through here: English in the sources, in the language of the
  /// window on the screen. {} are places for what varies: say("{} of {} checks hold", holding, all).
  template <class... Parts>
  std::string say(std::string_view english, const Parts&... parts) const {
    return language::say(language, english, parts...);
  }
  language::Language language = language::Language::en;

  Focus focus;                 ///< which control has the keyboard
  std::vector<KeyPress> keys;  ///< since the last frame
  bool pressed(Key) const;
  /// The key alone, or with what the chord says; nobody after this one sees it.
  bool take(Key key) { return take(Chord{key}); }
  bool take(const Chord&);
  /// The same for what one press does once: while the key is held it repeats, which nobody after this one sees either.
  bool take_press(const Chord&);
  /// What is left among the keys went down in this frame, and does not repeat.
  static bool is_press(const Chord&);

  /// Least width of the labels of a dialog's rows, from make_room_for(); set anew in each frame.
  float label_column = 0;

  /// Another frame is wanted after that time even if nothing happens; the window sleeps otherwise.
  void wake_in(double seconds) { wake_after = std::min(wake_after, seconds); }
  double wake_after = 1e9;  ///< seconds; set anew in each frame
  /// Something was asked of files, and this frame was drawn without the answer.
  void await() {
    awaiting = true;
    wake_in(0.05);
  }
  bool awaiting = false;  ///< set anew in each frame

  /// The keyboard is at a control and was used last: help is about that one, not about what the pointer happens to lie on.
  bool by_keys() const { return by_keys_ && !focus.nowhere(); }

  /// What the pointer or the keyboard rests on, and since when: help waits a little.
  struct Rest {
    std::string on;
    double since = 0;
    int frame = 0;  ///< in which it was shown last: what nobody shows any longer begins anew
  } rest;

 private:
  bool by_keys_ = false;
};

}  // namespace orrery::gui
