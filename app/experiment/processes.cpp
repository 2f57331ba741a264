#include "app/experiment/processes.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include "app/experiment/begin_program.h"
#include "core/file/descriptor.h"
#include "core/tensor/error.h"

extern char** environ;

namespace orrery::experiment {
namespace {

/// Both ends are closed with it, but for what is taken.
struct Pipe {
  std::unique_ptr<file::Descriptor> read, write;
};

Pipe new_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Failure(wrong("no process can be begun: {}", foreign(std::strerror(errno))));
  return {std::make_unique<file::Descriptor>(ends[0]), std::make_unique<file::Descriptor>(ends[1])};
}

/// Those of this program; 0 threads: as many as it has itself.
std::vector<std::string> variables_with(int threads) {
  std::vector<std::string> all;
  for (char** each = environ; *each; ++each)
    if (threads == 0 || !std::string_view(*each).starts_with("OMP_NUM_THREADS=")) all.emplace_back(*each);
  if (threads > 0) all.push_back("OMP_NUM_THREADS=" + std::to_string(threads));
  return all;
}

/// A child and what it says; its stdout is a pipe where `out` is asked for, else nowhere.
class Child {
 public:
  Child(const std::vector<std::string>& words, int threads, bool keep_out) {
    Pipe said = new_pipe(), out;
    if (keep_out) out = new_pipe();
    const file::Descriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (nowhere.get() < 0) throw Failure(wrong("no process can be begun: {}", foreign(std::strerror(errno))));
    pid_ = begin_program(words, variables_with(threads),
                         {.in = nowhere.get(),
                          .out = keep_out ? out.write->get() : nowhere.get(),
                          .error = said.write->get()});
    said_ = std::move(said.read);
    out_ = std::move(out.read);
    for (const auto* each : {said_.get(), out_.get()})
      if (each) ::fcntl(each->get(), F_SETFL, O_NONBLOCK);
  }

  void tell_to_stop() const {
    if (!ended_) ::kill(pid_, SIGTERM);
  }

  /// Takes in what was said; whether it has ended.
  bool look() {
    if (ended_) return true;
    take(said_.get(), said);
    take(out_.get(), out);
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
    ended_ = true;
    take(said_.get(), said);
    take(out_.get(), out);
    code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return true;
  }

  ProcessEnd end() const {
    std::string_view line = said;
    while (line.ends_with('\n')) line.remove_suffix(1);
    return {code, std::string(line.substr(line.rfind('\n') + 1))};
  }

  std::string said, out;
  int code = 0;

 private:
  static void take(const file::Descriptor* from, std::string& into) {
    constexpr std::size_t most = 1 << 20;
    if (!from) return;
    char some[4096];
    for (ssize_t n; (n = ::read(from->get(), some, sizeof some)) > 0;)
      if (into.size() < most) into.append(some, static_cast<std::size_t>(n));
  }

  pid_t pid_ = 0;
  bool ended_ = false;
  std::unique_ptr<file::Descriptor> said_, out_;
};

void wait_a_little() {
  constexpr int milliseconds = 50;
  ::poll(nullptr, 0, milliseconds);
}

}  // namespace

void run_processes(const std::vector<std::vector<std::string>>& programs, int jobs, int threads,
                   const std::function<void(std::size_t, const ProcessEnd&)>& on_end,
                   const std::function<bool()>& stopped, const std::function<void()>& meanwhile) {
  struct Running {
    std::size_t number;
    std::unique_ptr<Child> child;
  };
  std::vector<Running> running;
  // Where one cannot be begun, or a caller throws: nobody is left behind who would hold a lock that nobody asks about.
  const struct Ending {
    std::vector<Running>& left;
    ~Ending() {
      for (const Running& each : left) each.child->tell_to_stop();
      for (const Running& each : left)
        while (!each.child->look()) wait_a_little();
    }
  } ending{running};
  std::size_t next = 0;
  bool told = false;
  while (next < programs.size() || !running.empty()) {
    if (!told && stopped()) {
      told = true;
      next = programs.size();
      for (const Running& each : running) each.child->tell_to_stop();
    }
    while (next < programs.size() && running.size() < static_cast<std::size_t>(jobs)) {
      running.push_back({next, std::make_unique<Child>(programs[next], threads, false)});
      ++next;
    }
    wait_a_little();
    for (std::size_t i = 0; i < running.size();) {
      if (!running[i].child->look()) {
        ++i;
        continue;
      }
      on_end(running[i].number, running[i].child->end());
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
    meanwhile();
  }
}

ProgramOutput run_program(const std::vector<std::string>& words) {
  Child child(words, 0, true);
  while (!child.look()) wait_a_little();
  return {child.end(), child.out};
}

std::string own_path() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) throw Failure(wrong("this program cannot find itself: {}", foreign(failed.message())));
  return path.string();
}

}  // namespace orrery::experiment
