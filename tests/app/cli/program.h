// The program as people use it: run with arguments, its exit code and what it printed.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/file/npy.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::cli_test {

namespace fs = std::filesystem;

struct Result {
  int code = -1;
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

using support::contents;

/// A directory of its own for each test; gone afterwards.
class Program : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::string write_array(const std::string& name, std::vector<tensor::Index> shape,
                          std::vector<double> values, tensor::Format format = tensor::Format::f32) const {
    tensor::Array a;
    a.format = format;
    a.shape = std::move(shape);
    a.values = std::move(values);
    return write(name, file::npy_bytes(a));
  }

  /// For the programs run from now on: "NAME=value".
  void set_environment(std::string variable) { extra_environment_.push_back(std::move(variable)); }

  /// No display: the window must not open in a test.
  Result run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), ORRERY_PROGRAM);
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    std::vector<char*> environment;
    for (char** e = environ; *e != nullptr; ++e) {
      const std::string_view text(*e);
      if (!text.starts_with("DISPLAY=") && !text.starts_with("WAYLAND_DISPLAY=")) environment.push_back(*e);
    }
    std::vector<std::string> extra = extra_environment_;
    for (std::string& variable : extra) environment.push_back(variable.data());
    environment.push_back(nullptr);

    const std::string out = path(".stdout"), err = path(".stderr");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    pid_t child = 0;
    const int failed =
        posix_spawn(&child, ORRERY_PROGRAM, &actions, nullptr, argv.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    Result result;
    if (failed != 0) return result;
    int status = 0;
    ::waitpid(child, &status, 0);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.out = contents(out);
    result.err = contents(err);
    return result;
  }

  /// The one line of an error: on stderr, alone, with all of `words` in it; nothing on stdout.
  void expect_error(int code, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& words) const {
    std::string typed;
    for (const std::string& a : arguments) typed += " " + a;
    SCOPED_TRACE("orrery" + typed);
    const Result result = run(arguments);
    EXPECT_EQ(result.code, code);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("orrery: ")) << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_TRUE(result.err.ends_with('\n')) << result.err;
    for (const std::string& word : words)
      EXPECT_NE(result.err.find(word), std::string::npos) << word << " in " << result.err;
  }

 private:
  const support::TemporaryFolder directory_;
  std::vector<std::string> extra_environment_;
};

inline std::vector<std::string> keys(const nlohmann::json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

/// Promised keys are there; more may be added.
inline void expect_keys(const nlohmann::json& object, const std::vector<std::string>& promised) {
  for (const std::string& key : promised)
    EXPECT_TRUE(object.contains(key)) << key << " in " << object.dump().substr(0, 200);
}

}  // namespace orrery::cli_test
