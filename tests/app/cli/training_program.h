// The program at a training that takes no time, killed when a test likes.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/cli/program.h"

namespace orrery::cli_test {

inline const std::string tiny =
    "orrery = 1\n[task]\nkind = \"markov\"\nlength = 8\nsequences = 2\n[model]\nwidth = 8\nheads = 2\nhidden = 16\n"
    "[schedule]\nwarm_up = 5\n[evaluation]\nlengths = [8, 16]\nsequences = 2\n";

class Training : public Program {
 protected:
  Training() { set_environment("OMP_NUM_THREADS=1"); }

  /// Begins it, and lets it be killed. Its exit code, as a shell says it.
  int run_for(std::vector<std::string> arguments, std::chrono::microseconds time, int signal) const {
    arguments.insert(arguments.begin(), ORRERY_PROGRAM);
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    std::vector<char*> environment;
    for (char** e = environ; *e != nullptr; ++e) environment.push_back(*e);
    std::string threads = "OMP_NUM_THREADS=1";
    environment.push_back(threads.data());
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions, fd, path(fd == STDERR_FILENO ? "err" : "out").c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    if (posix_spawn(&child, ORRERY_PROGRAM, &actions, nullptr, argv.data(), environment.data()) != 0)
      return -1;
    posix_spawn_file_actions_destroy(&actions);
    std::this_thread::sleep_for(time);
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
};

}  // namespace orrery::cli_test
