// A folder for what is exported.
#pragma once

#include "app/gui/export_page.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui {

class ExportTest : public testing::Test {
 protected:
  const support::TemporaryFolder folder;
  /// What the dialog would, without it.
  static void write_shown(const Harness& h) {
    const recipe::Outcome& outcome = *h.app.result();
    write_export(recipe_of(h.app.page, outcome, h.app.view()), outcome,
                 export_target(h.app.page, *outcome.study));
  }
};

}  // namespace orrery::gui
