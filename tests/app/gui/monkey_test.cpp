// The whole window at the hands of somebody who does not look: clicks, drags, keys, wheel, text and resizing by chance,
// the same on every machine. ORRERY_MONKEY=300000 makes it that many events.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

#include "app/gui/pane.h"
#include "app/gui/tray.h"
#include "app/gui/widgets.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::monkey_test {
namespace {

namespace fs = std::filesystem;

class Monkey {
 public:
  explicit Monkey(unsigned seed) : dice_(seed), h({1280, 800}) {
    h.app.open(*study::studies()[below(study::studies().size())]);
    h.frames(2);
  }

  void event() {
    switch (below(16)) {
      case 0:
        return wheel();
      case 1:
        return press(at(), 1);
      case 2:
        return type();
      case 3:
      case 4:
        return drag();
      case 5:
        if (below(20) == 0) return resize();
        return key();
      case 6:
      case 7:
        return key();
      case 8:
      case 9:
      case 10:
      case 11:
        return press(some_control(), below(12) == 0 ? 1 : 0);
      default:
        return press(at(), 0);
    }
  }

  /// What must hold whatever was done.
  void check() {
    h.frames(2);  // a popup finds its place in the frame after its first
    const Document document = h.app.document();
    for (const figure::View::PanelView& panel : document.view.panels)
      for (const std::optional<figure::Range>& range : {panel.x, panel.y})
        if (range) {
          ASSERT_TRUE(std::isfinite(range->lo) && std::isfinite(range->hi) && range->lo < range->hi);
        }
    for (const parameter::Parameter& p : h.app.study().parameters)
      ASSERT_NO_THROW(parameter::validate(p, h.app.settings().value(p.name)))
          << h.app.study().id << " " << p.name;
    // A comparison has the handles of both sides.
    if (!h.ui.items.doubled().starts_with("handle:")) {
      ASSERT_EQ(h.ui.items.doubled(), "") << "two controls of one name, and so of one id";
    }
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    for (const auto& [name, box] : h.ui.items.all()) {
      ASSERT_TRUE(std::isfinite(box.low.x + box.low.y + box.high.x + box.high.y)) << name;
      ASSERT_TRUE(box.low.x <= box.high.x && box.low.y <= box.high.y) << name;
      // Rows of a list may be scrolled away upwards and downwards, cards of the tray sideways.
      if (name.starts_with("tray") || name.starts_with("handle:") || name.starts_with("figure-menu:"))
        continue;
      ASSERT_TRUE(box.low.x >= -1 && box.high.x <= size.x + 1)
          << name << ": " << box.low.x << " to " << box.high.x << " of " << size.x << ", "
          << h.app.study().id;
    }
    if (!h.app.history().can_undo() || h.app.playing()) return;
    ASSERT_TRUE(h.app.undo() && h.app.redo());
    ASSERT_TRUE(h.app.document() == document);
  }

  std::size_t below(std::size_t n) { return dice_() % n; }

 private:
  ImVec2 at() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {static_cast<float>(below(static_cast<std::size_t>(size.x))),
            static_cast<float>(below(static_cast<std::size_t>(size.y)))};
  }
  /// Controls are small and chance would seldom meet one.
  ImVec2 some_control() {
    const auto& all = h.ui.items.all();
    if (all.empty()) return at();
    const auto one = std::next(all.begin(), static_cast<std::ptrdiff_t>(below(all.size())));
    return one->second.centre();
  }
  void frame() { h.frames(1, below(4) == 0 ? 0.05 : 0); }
  void press(ImVec2 where, int button) {
    compat::feed_mouse_position(where.x, where.y);
    frame();
    compat::feed_mouse_button(button, true);
    frame();
    compat::feed_mouse_button(button, false);
    frame();
  }
  void drag() {
    const ImVec2 from = below(2) ? some_control() : at();
    const int button = below(4) == 0 ? 1 : 0;
    compat::feed_mouse_position(from.x, from.y);
    frame();
    compat::feed_mouse_button(button, true);
    frame();
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      const ImVec2 to = at();
      compat::feed_mouse_position(to.x, to.y);
      frame();
    }
    compat::feed_mouse_button(button, false);
    frame();
  }
  void wheel() {
    const ImVec2 where = at();
    compat::feed_mouse_position(where.x, where.y);
    compat::feed_wheel(static_cast<float>(below(5)) - 2);
    frame();
  }
  void key() {
    static constexpr Key keys[] = {
        Key::tab, Key::tab,       Key::tab,   Key::enter, Key::enter, Key::escape, Key::left,     Key::right,
        Key::up,  Key::down,      Key::home,  Key::end,   Key::space, Key::erase,  Key::f1,       Key::f2,
        Key::f6,  Key::page_down, Key::minus, Key::equal, Key::plus,  Key::digit0, Key::backspace};
    const bool letter = below(2) == 0;
    h.key(letter ? static_cast<Key>('A' + below(26)) : keys[below(std::size(keys))], below(3) == 0,
          below(4) == 0);
  }
  void type() {
    static constexpr const char* texts[] = {"7",   "-1",     "2^16",   "pi/4", "abc",
                                            "0.5", "\u03B8", "\u4E2D", ".",    "1e400"};
    h.type(texts[below(std::size(texts))]);
  }
  void resize() {
    ImGui::GetIO().DisplaySize = {static_cast<float>(640 + below(1400)),
                                  static_cast<float>(400 + below(900))};
    frame();
  }

  std::mt19937 dice_;
  Harness h;
};

/// What it writes, it writes here.
class MonkeyTest : public testing::TestWithParam<unsigned> {
 protected:
  MonkeyTest() { fs::current_path(folder_.path()); }
  ~MonkeyTest() override { fs::current_path(before_); }

 private:
  const fs::path before_ = fs::current_path();
  const support::TemporaryFolder folder_;
};

TEST_P(MonkeyTest, BreaksNothing) {
  const char* asked = std::getenv("ORRERY_MONKEY");
  constexpr int seeds = 8;
  const int events = asked ? std::max(1, std::atoi(asked) / seeds) : 500;
  Monkey monkey(GetParam());
  for (int i = 0; i < events; ++i) {
    SCOPED_TRACE("event " + std::to_string(i));
    monkey.event();
    if (i % 5 == 0) monkey.check();
    if (HasFatalFailure()) return;
  }
}

// Found by chance: a dialog whose pane is gone must not keep another pane from coming.
TEST(AbandonedPopup, IsClosed) {
  Harness h({1280, 800});
  h.frames(2);
  ImGui::NewFrame();
  ImGui::OpenPopup("dialog");
  for (int i = 0; i < 3; ++i) {
    if (i > 0) ImGui::NewFrame();
    if (ImGui::BeginPopupModal("dialog")) ImGui::EndPopup();
    ImGui::Render();
  }
  h.frames(2);  // nobody draws it any longer
  EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
  h.app.edit("Tray", {}, [](Document& d) { d.panes.tray_shown = true; });
  h.frames(2);
  h.item("tray-collect");
}

// Found by chance: a pane that comes in the very frame in which a dialog is opened.
TEST(NewDialog, LetsAPaneComeInTheSameFrame) {
  Harness h({1280, 800});
  h.frames(2);
  ImGui::NewFrame();
  ImGui::OpenPopup("dialog");
  if (begin_modal(h.ui, "dialog")) end_popup(h.ui);
  pane("newcomer", {0, 0}, {100, 100}, h.ui.tokens.pane, {0, 0}, 0, [] {});
  ImGui::Render();
  EXPECT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
}

INSTANTIATE_TEST_SUITE_P(Seeds, MonkeyTest, testing::Range(1u, 9u));

}  // namespace
}  // namespace orrery::gui::monkey_test
