// Where a person's own files lie, whatever the environment says.
#include "core/file/base_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace orrery::file::base_folder_test {
namespace {

/// A variable of the environment, as it was again when this ends; nullptr: not there.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    put(value);
  }
  ~Variable() { put(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;

 private:
  void put(const char* value) const { value != nullptr ? ::setenv(name_, value, 1) : ::unsetenv(name_); }

  const char* name_;
  std::optional<std::string> before_;
};

TEST(BaseFolder, IsAWholePathOrNone) {
  const struct {
    const char *given, *home, *folder;
  } cases[] = {{"/data", "/home/ada", "/data"},
               {nullptr, "/home/ada", "/home/ada/.local/share"},
               {"", "/home/ada", "/home/ada/.local/share"},
               {"data", "/home/ada", "/home/ada/.local/share"},
               {nullptr, nullptr, ""},
               {nullptr, "", ""},
               {nullptr, "ada", ""},
               {"data", ".", ""}};
  for (const auto& [given, home, folder] : cases) {
    const Variable data("XDG_DATA_HOME", given), of_person("HOME", home);
    EXPECT_EQ(base_folder("XDG_DATA_HOME", ".local/share"), folder);
  }
}

}  // namespace
}  // namespace orrery::file::base_folder_test
