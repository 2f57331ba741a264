// What is there already of the files that a dialog is about to write.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/gui/inquiry.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class Presence {
 public:
  struct Answer {
    std::size_t files = 0;  ///< so many of them
    bool folder = true;     ///< that of the first
    Complaint error{};      ///< why nobody can say; empty: it was said
  };
  /// Once per frame; nothing while nobody knows. Asked anew where the files are others, and every second: the world goes on.
  /// `perhaps_tables`: each may become several, norm.TABLE.csv, and it is there where one of those is.
  const std::optional<Answer>& of(Ui&, const std::vector<std::filesystem::path>&,
                                  bool perhaps_tables = false);
  /// Whatever was known is not known any more.
  void forget();

 private:
  std::vector<std::filesystem::path> files_;
  std::optional<Answer> answer_;
  double asked_ = 0;
  Inquiry inquiry_;
};

}  // namespace orrery::gui
