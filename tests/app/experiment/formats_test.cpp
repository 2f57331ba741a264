// The documentation of the settings is their declarations.
#include "app/experiment/formats.h"

#include <gtest/gtest.h>

#include "tests/support/files.h"
#include "tests/support/source.h"

namespace orrery::experiment {
namespace {

TEST(Formats, TheListIsTheDeclarations) {
  EXPECT_NE(support::contents(support::source("app/experiment/FORMATS.md")).find(formats_markdown()),
            std::string::npos)
      << "orrery train --markdown prints it";
}

}  // namespace
}  // namespace orrery::experiment
