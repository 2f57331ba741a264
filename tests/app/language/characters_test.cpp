#include "app/language/characters.h"

#include <gtest/gtest.h>

namespace orrery::language::characters_test {
namespace {

/// Widths by Python's unicodedata.east_asian_width (W and F are two, Mn and Cf none), as terminals draw them.
TEST(Characters, TakeTheColumnsOfATerminal) {
  EXPECT_EQ(terminal_columns(""), 0);
  EXPECT_EQ(terminal_columns("base"), 4);
  EXPECT_EQ(terminal_columns("底数"), 4);
  EXPECT_EQ(terminal_columns("头维度 d，128"), 13);
  EXPECT_EQ(terminal_columns("θ ≤ 2×π"), 7);  // ambiguous ones are narrow, as outside of East Asian locales
  EXPECT_EQ(terminal_columns("한글"), 4);
  EXPECT_EQ(terminal_columns("e\u0301"), 1);
  EXPECT_EQ(terminal_columns("（）"), 4);
  EXPECT_EQ(terminal_columns("“”"), 2);
}

}  // namespace
}  // namespace orrery::language::characters_test
