// Paths as people type them and as they are shown: home, by any of its names.
#include "app/gui/typed_path.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace orrery::gui::typed_path_test {
namespace {

TEST(TypedPathTest, HomeIsWhatAShellMakesOfIt) {
  const char* before = std::getenv("HOME");
  const std::string kept = before ? before : "";
  setenv("HOME", "/home/ada/", 1);
  EXPECT_EQ(typed_path("~"), "/home/ada");
  EXPECT_EQ(typed_path(" ~/notes/a.pdf "), "/home/ada/notes/a.pdf");
  EXPECT_EQ(typed_path("$HOME/notes"), "/home/ada/notes");
  EXPECT_EQ(typed_path("${HOME}/notes"), "/home/ada/notes");
  EXPECT_EQ(typed_path("~grace/notes"), "~grace/notes");
  EXPECT_EQ(typed_path("$HOMES"), "$HOMES");
  EXPECT_EQ(typed_path("a~/b"), "a~/b");
  EXPECT_EQ(shown_path("/home/ada/notes"), "~/notes");
  EXPECT_EQ(shown_path("/home/adam"), "/home/adam");
  setenv("HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace orrery::gui::typed_path_test
