#include "app/experiment/begin_program.h"

#include <fcntl.h>
#include <paths.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "core/file/descriptor.h"
#include "core/tensor/error.h"

namespace orrery::experiment {
namespace {

[[noreturn]] void cannot_run(const std::string& program, int error) {
  throw Failure(
      about(Subject::Kind::file, program).fault("cannot be run: {}", foreign(std::strerror(error))));
}

[[noreturn]] void none_can_be_begun(int error) {
  throw Failure(wrong("no process can be begun: {}", foreign(std::strerror(error))));
}

/// Looked for here: between fork and exec nobody may ask for memory.
std::string path_of(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* folders = std::getenv("PATH");
  for (std::string_view rest = folders ? folders : _PATH_DEFPATH; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    const std::filesystem::path path = std::filesystem::path(folder.empty() ? "." : folder) / program;
    std::error_code none;
    if (std::filesystem::is_regular_file(path, none) && ::access(path.c_str(), X_OK) == 0)
      return path.string();
  }
  cannot_run(program, ENOENT);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

/// Only what a signal handler may do: another thread may have held any lock when this process was made.
[[noreturn]] void become(const char* program, char* const* words, char* const* variables, Streams streams,
                         pid_t parent, int trouble) {
  // A key that stops the terminal's programs reaches the parent, who tells this one.
  ::setpgid(0, 0);
  // What our handlers would do with a signal is not this process's to do.
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) ::signal(signal, SIG_DFL);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);  // it ended before that was asked for
  if (::dup2(streams.in, STDIN_FILENO) >= 0 && ::dup2(streams.out, STDOUT_FILENO) >= 0 &&
      ::dup2(streams.error, STDERR_FILENO) >= 0)
    ::execve(program, words, variables);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(trouble, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

pid_t begin_program(const std::vector<std::string>& words, const std::vector<std::string>& variables,
                    Streams streams) {
  const std::string program = path_of(words[0]);
  const std::vector<char*> arguments = pointers(words), environment = pointers(variables);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) none_can_be_begun(errno);
  const file::Descriptor heard(ends[0]);
  file::Descriptor trouble(ends[1]);
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) none_can_be_begun(errno);
  if (child == 0)
    become(program.c_str(), arguments.data(), environment.data(), streams, parent, trouble.get());
  trouble.close();
  // Nothing is heard of one that is the program by now: its end of the pipe is closed.
  int error = 0;
  ssize_t n = 0;
  while ((n = ::read(heard.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (n <= 0) return child;
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  cannot_run(words[0], error);
}

}  // namespace orrery::experiment
