#include "app/gui/clipboard.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "core/file/write_file.h"
#include "core/tensor/error.h"

extern char** environ;

namespace orrery::gui {
namespace {

bool named(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

/// The first folder of PATH that has an executable of that name.
std::filesystem::path found_on_path(std::string_view name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
    if (folder.empty() || folder.front() != '/') continue;
    const std::filesystem::path program = std::filesystem::path(folder) / name;
    if (access(program.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(program)) return program;
  }
  return {};
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  bool open() const { return number_ >= 0; }

 private:
  int number_;
};

/// A file without a name that holds the bytes: the program reads it at its own pace, and nobody has to feed a pipe.
bool fill(const Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return lseek(file.number(), 0, SEEK_SET) == 0;
}

/// Its process, or −1. What it reads is the file; what it says is nobody's business.
pid_t start(const std::filesystem::path& program, const Descriptor& input) {
  const bool wayland = program.filename() == "wl-copy";
  std::string name = program.filename().string();
  std::array<std::string, 4> words =
      wayland ? std::array<std::string, 4>{"--type", "image/png", "", ""}
              : std::array<std::string, 4>{"-selection", "clipboard", "-t", "image/png"};
  std::array<char*, 6> arguments{name.data()};
  for (std::size_t i = 0; i < words.size() && !words[i].empty(); ++i) arguments[i + 1] = words[i].data();

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input.number(), STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  if (posix_spawn(&process, program.c_str(), &files, nullptr, arguments.data(), environ) != 0) process = -1;
  posix_spawn_file_actions_destroy(&files);
  return process;
}

/// Its exit status, once it has one. Both programs stay behind as a child of their own that owns the clipboard.
std::future<int> wait_for(pid_t process) {
  std::promise<int> promise;
  std::future<int> status = promise.get_future();
  std::thread([process, promise = std::move(promise)]() mutable {
    int raw = 0;
    while (waitpid(process, &raw, 0) < 0 && errno == EINTR) continue;
    promise.set_value(WIFEXITED(raw) ? WEXITSTATUS(raw) : 1);
  }).detach();
  return status;
}

/// A new one in the temporary folder, which nobody else can write to.
std::filesystem::path make_folder() {
  std::string folder = (std::filesystem::temp_directory_path() / "orrery-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    throw Failure(Complaint().fault(foreign(std::strerror(errno))).within(in_file(folder)));
  return folder;
}

}  // namespace

std::filesystem::path picture_program() {
  if (named("WAYLAND_DISPLAY"))
    if (const auto program = found_on_path("wl-copy"); !program.empty()) return program;
  return named("DISPLAY") ? found_on_path("xclip") : std::filesystem::path();
}

PictureClipboard::Said PictureClipboard::put(std::string png) {
  png_ = std::move(png);
  status_ = {};
  const std::filesystem::path program = picture_program();
  if (program.empty())
    return into_file(named("WAYLAND_DISPLAY") ? "wl-copy is not installed" : "xclip is not installed");
  program_ = program.filename().string();
  const Descriptor file(memfd_create("orrery-figure", MFD_CLOEXEC));
  if (!file.open() || !fill(file, png_)) return into_file("no memory for the picture");
  const pid_t process = start(program, file);
  if (process < 0) return into_file(program_ + " could not be started");
  status_ = wait_for(process);
  return {};
}

PictureClipboard::Said PictureClipboard::poll() {
  if (!status_.valid() || status_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
  const int status = status_.get();
  if (status == 0) {
    png_.clear();
    return {};
  }
  return into_file(program_ + " failed with status " + std::to_string(status));
}

PictureClipboard::Said PictureClipboard::into_file(std::string_view why) {
  try {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder_, ignored)) folder_ = make_folder();
    const std::filesystem::path path = folder_ / "orrery-figure.png";
    file::write_file(path, png_);
    png_.clear();
    return {true, std::string(why) + ": the picture is in " + path.string() + ", and that path was copied",
            path};
  } catch (const std::exception& error) {
    return {true, std::string(why) + ", and no file could be written: " + error.what(), {}};
  }
}

}  // namespace orrery::gui
