#include "app/gui/open_popup.h"

#include <utility>

namespace orrery::gui {

void OpenPopup::draw(App& app, Ui& ui) {
  const FilePicker::Search search{
      .title = "Open", .takes = App::all_takes(), .recent = app.recent(), .uses = true, .open = &app.study()};
  if (std::exchange(wanted_, false)) picker_.open(search);
  // A file of many tensors, wherever it came from: which of them?
  if (const auto file = std::exchange(app.question, std::nullopt)) picker_.ask_tensor(search, *file);
  picker_.draw(ui, [&](const std::string& path) -> std::optional<Complaint> {
    if (taking_ != path) {
      taking_ = path;
      app.take_file(path, Inquiry::glance, picker_.browsing() ? App::Ask::nothing : App::Ask::which_tensor);
    }
    if (app.asking()) return std::nullopt;
    taking_.clear();
    return app.refusal();
  });
  if (const auto use = picker_.take_use())
    app.hand_over(*use->first.study, *use->first.parameter, use->second);
  // Somebody thought better of it.
  if (!taking_.empty() && !picker_.offering()) {
    taking_.clear();
    app.leave_file();
  }
}

}  // namespace orrery::gui
