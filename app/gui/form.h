// Rows of a dialog: a label at the left, its control beside it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/gui/widgets.h"
#include "core/tensor/complaint.h"

namespace orrery::gui {

/// Before the rows of a dialog that has labels which may be long: all controls begin behind the widest.
void make_room_for(Ui&, std::span<const std::string> labels);
/// A label; the cursor is left where its control begins. Returns the width that there is for it.
float labelled(Ui&, std::string_view text, float height = 24);
/// Below a row that began at `start`.
void next_row(const Ui&, ImVec2 start, float height = 24);
/// One of a few names. True when another was chosen.
bool choose(Ui&, std::string_view label, std::string_view id, std::span<const std::string_view> names,
            std::string& now);
/// A switch and what it is about, below the controls; returns what it says now.
bool switched(Ui&, std::string_view words, std::string_view id, bool on);
/// A row where a text is typed.
Field typed_row(Ui&, std::string_view label, std::string_view id, std::string& text,
                std::string_view hint = {});
/// A row where a path is typed; true when the button beside it was pressed, to look for one.
bool path_row(Ui&, std::string_view label, std::string_view id, std::string& text,
              std::string_view hint = {});
/// One line of small print, cut to its room.
void small_print(Ui&, const Face&, figure::Color, std::string_view text);
/// In as many lines as it needs.
void wrapped_print(Ui&, const Face&, figure::Color, std::string_view text);
/// Below the name of what will be written: what went wrong, or how many files it would replace; its line stays when there
/// is nothing to say, so that nothing moves.
void target_note(Ui&, const Complaint& error, std::size_t replaced);
float target_note_height(Ui&, float width, const Complaint& error);

/// The two buttons at the end of a dialog. Enter is the first of them wherever no control has another use for it: in a
/// field too.
struct Decision {
  bool go = false, cancel = false;
};
float decision_height(const Ui&);
Decision decide(Ui&, std::string_view id, std::string_view go, bool can);

}  // namespace orrery::gui
