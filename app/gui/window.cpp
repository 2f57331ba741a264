#include "app/gui/window.h"

#include <epoxy/gl.h>

// epoxy first: GLFW must find GL's types declared
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <future>
#include <memory>

#include "app/gui/end_signals.h"
#include "app/gui/extent.h"
#include "app/gui/frame.h"
#include "app/gui/session_keeper.h"
#include "app/study/gpu_report.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

constexpr int least_width = 640, least_height = 400;
constexpr int frames_after_an_event = 3;    // popups and layouts settle a frame or two late
constexpr double longest_sleep = 30;        // seconds; nothing but events and wishes ends it earlier
constexpr double playing_frame = 1.0 / 30;  // what moves slowly needs no more
constexpr double playing_share = 0.4;       // of the time at most, where drawing is slow (a software driver)
constexpr double shortest_frame = 1.0 / 120;  // for drivers that do not wait for the display
constexpr double zoom_step = 1.1;
constexpr std::string_view first_study = "rope/rotation";  // the orrery itself

struct Glfw {
  Glfw() : ready(glfwInit() == GLFW_TRUE) {}
  ~Glfw() {
    if (ready) glfwTerminate();
  }
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
  bool ready;
};

bool display_named() {
  const auto named = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value;
  };
  return named("DISPLAY") || named("WAYLAND_DISPLAY");
}

/// A window may have been kept on a larger display: it must not reach beyond this one.
std::pair<int, int> on_the_display(int width, int height) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (!monitor) return {width, height};
  int x = 0, y = 0, free_width = 0, free_height = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &free_width, &free_height);
  if (free_width < least_width || free_height < least_height) return {width, height};
  return {std::min(width, free_width), std::min(height, free_height)};
}

class Window {
 public:
  Window(const Start&, SessionKeeper&, const EndSignals&);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  int run();

 private:
  void open_first(const Start&);
  void keep_session();
  void read_keys();
  void take_measure();
  void fit_scale();
  void renew_font_texture();
  WindowWishes compose();
  void draw();
  void name_window();
  void obey(const WindowWishes&);
  bool sleep();
  bool ended() const { return end_.asked() || glfwWindowShouldClose(window_); }
  double playing_frame_now() const { return std::max(playing_frame, frame_seconds_ / playing_share); }
  void poll_gpu();

  GLFWwindow* window_ = nullptr;
  std::string named_;
  SessionKeeper& keeper_;
  const EndSignals& end_;
  double asked_scale_;
  Extent extent_;
  int hot_ = frames_after_an_event;
  double frame_seconds_ = 0, frame_began_ = 0;
  bool studied_before_ = false;
  std::future<study::GpuReport> gpu_;
  GlTextures textures_;
  std::unique_ptr<Ui> ui_;
  App app_{[] { glfwPostEmptyEvent(); }};
  Frame frame_;
};

Window::Window(const Start& start, SessionKeeper& keeper, const EndSignals& end)
    : keeper_(keeper), end_(end), asked_scale_(start.scale) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  const auto [width, height] = on_the_display(std::max(keeper.found().width, least_width),
                                              std::max(keeper.found().height, least_height));
  window_ = glfwCreateWindow(width, height, "Orrery", nullptr, nullptr);
  if (!window_)
    throw Failure(
        "the window needs OpenGL 3.3, and this display does not offer it; "
        "`orrery render` and `orrery gallery` write figures without a window");
  glfwSetWindowSizeLimits(window_, least_width, least_height, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(window_, this);
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    static_cast<Window*>(glfwGetWindowUserPointer(w))->app_.take_files({paths, paths + count});
  });

  // Before Dear ImGui sets its own, which then calls this one too.
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int code, int action, int modifiers) {
    if (action == GLFW_RELEASE) return;
    // Letters and signs as this keyboard has them: Z is not in the same place everywhere.
    const char* name = glfwGetKeyName(key, code);
    if (name && name[0] && !name[1]) {
      if (name[0] >= 'a' && name[0] <= 'z') key = name[0] - 'a' + 'A';
      if (std::string_view("+-=").find(name[0]) != std::string_view::npos && key < 256) key = name[0];
    }
    static_cast<Window*>(glfwGetWindowUserPointer(w))
        ->ui_->keys.push_back({static_cast<Key>(key), (modifiers & GLFW_MOD_CONTROL) != 0,
                               (modifiers & GLFW_MOD_SHIFT) != 0, (modifiers & GLFW_MOD_ALT) != 0});
  });
  // Where it is on the keyboard, and with what it is written, differs: only the sign itself says it.
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned character) {
    if (character == '?')
      static_cast<Window*>(glfwGetWindowUserPointer(w))->ui_->keys.push_back({Key::question});
  });

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a caret that blinks keeps the program awake
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  ui_ = std::make_unique<Ui>(textures_);
  open_first(start);
  read_keys();
  gpu_ = std::async(std::launch::async, [] {
    study::GpuReport report = study::ask_for_gpu();
    glfwPostEmptyEvent();
    return report;
  });
}

Window::~Window() {
  if (gpu_.valid()) gpu_.wait();
  ui_.reset();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
}

// What the command line says, else where the person was, else the orrery itself, turning.
void Window::open_first(const Start& start) {
  const bool before = keeper_.restore(app_);
  if (!start.theme.empty()) app_.preferences.theme = start.theme;
  if (!before) {
    const auto all = study::studies();
    const auto rotation =
        std::find_if(all.begin(), all.end(), [](const study::Study* s) { return s->id == first_study; });
    if (rotation != all.end()) app_.start_with(**rotation);
    if (start.file.empty() && start.study.empty()) app_.toggle_play();
  }
  if (!start.study.empty()) app_.open(study::find(start.study));
  if (!start.file.empty()) app_.open_file(start.file);
}

void Window::keep_session() {
  ui_->wake_in(keeper_.poll(glfwGetTime(), app_, extent_.window.width, extent_.window.height));
}

void Window::take_measure() {
  const auto asked = [this](auto question) {
    return [this, question] {
      Pixels size;
      question(window_, &size.width, &size.height);
      return size;
    };
  };
  extent_ = measure(asked(glfwGetWindowSize), asked(glfwGetFramebufferSize), extent_);
}

// X11 gives windows in pixels and asks for larger contents; others give larger framebuffers. Both come out
// right: layout units are what the mouse counts in, and the raster says how many device pixels each of them
// has.
void Window::fit_scale() {
  float content = 1, ignored = 1;
  glfwGetWindowContentScale(window_, &content, &ignored);
  const float raster = extent_.raster();
  const double wanted = asked_scale_ > 0 ? asked_scale_ : content;
  const float scale =
      fitting_scale(wanted * app_.preferences.zoom / raster, extent_.window.width, extent_.window.height);
  if (scale == ui_->scale && raster == ui_->raster && ui_->faces.words.font) return;
  ui_->set_scale(scale, raster);
  renew_font_texture();
}

void Window::renew_font_texture() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

WindowWishes Window::compose() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  take_extent(ImGui::GetIO(), extent_);
  ImGui::NewFrame();
  ui_->begin_frame();
  WindowWishes wishes = frame_.draw(app_, *ui_, frame_seconds_);
  ImGui::Render();
  return wishes;
}

/// A person's own keys; what is wrong in the file is said at once, and the rest of it holds.
void Window::read_keys() {
  std::string said;
  for (const std::string& fault : frame_.key_map.read(key_map_file()))
    said += (said.empty() ? "" : "; ") + fault;
  if (!said.empty()) app_.notice = {Notice::Kind::error, said};
}

void Window::poll_gpu() {
  if (!gpu_.valid() || gpu_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  const study::GpuReport report = gpu_.get();
  app_.gpu = {true, report.available, report.software, report.text};
  if (!report.available && app_.notice.text.empty())
    app_.notice = {Notice::Kind::none, "no graphics processor to compute on: " + report.text};
}

/// What is open, where the desktop lists its windows.
void Window::name_window() {
  const std::string name = ui_->say(app_.study().title) + " \u2014 Orrery";
  if (name == named_) return;
  named_ = name;
  glfwSetWindowTitle(window_, name.c_str());
}

void Window::draw() {
  const double now = glfwGetTime();
  const double since = now - frame_began_;
  frame_began_ = now;
  poll_gpu();
  take_measure();
  fit_scale();
  const figure::Theme& theme = screen_theme(app_.preferences.theme);
  if (ui_->theme != &theme) ui_->set_theme(theme);
  app_.update(since);
  name_window();

  const WindowWishes wishes = compose();
  if (ui_->renew_faces()) {  // nobody sees the frame that only found out which characters are wanted
    renew_font_texture();
    obey(compose());
  }

  glViewport(0, 0, extent_.framebuffer.width, extent_.framebuffer.height);
  const figure::Color ground = ui_->tokens.ground;
  glClearColor(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
               static_cast<float>(ground.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glFinish();  // so that the status line tells what a frame costs, not what it costs to ask for one
  frame_seconds_ = glfwGetTime() - now;
  glfwSwapBuffers(window_);
  obey(wishes);
  keep_session();
}

void Window::obey(const WindowWishes& wishes) {
  if (wishes.close) glfwSetWindowShouldClose(window_, GLFW_TRUE);
  double& zoom = app_.preferences.zoom;
  if (wishes.zoom_reset) zoom = 1;
  if (wishes.zoom_steps != 0)
    zoom = std::clamp(std::round(1000 * zoom * std::pow(zoom_step, wishes.zoom_steps)) / 1000, 0.5, 4.0);
}

/// Until something happens; false when nothing did, and the last frame is still true.
bool Window::sleep() {
  const bool iconified = glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE;
  double wait = hot_ > 0 ? 0 : longest_sleep;
  if (hot_ == 0) wait = std::min(wait, ui_->wake_after);

  if (iconified) wait = longest_sleep;
  const double until = frame_began_ + std::max(wait, app_.playing() ? playing_frame_now() : shortest_frame);
  const double asleep = glfwGetTime(), timeout = until - asleep;
  if (timeout <= 0) {
    glfwPollEvents();
    if (hot_ > 0) --hot_;
    return true;
  }
  glfwWaitEventsTimeout(timeout);
  const bool event = glfwGetTime() - asleep < timeout - 1e-3;
  if (event) {
    hot_ = frames_after_an_event;
    // Many events may come between two frames; the next one answers to all of them.
    while (glfwGetTime() - frame_began_ < shortest_frame)
      glfwWaitEventsTimeout(shortest_frame - (glfwGetTime() - frame_began_));
    return !iconified;
  }
  const bool wanted = hot_ > 0 || wait < longest_sleep;
  if (hot_ > 0) --hot_;
  return wanted && !iconified;
}

int Window::run() {
  while (!ended()) {
    draw();
    while (!sleep() && !ended()) continue;
  }
  keeper_.finish(app_, extent_.window.width, extent_.window.height);
  return 0;
}

}  // namespace

bool display_available() {
  return display_named() && Glfw().ready;
}

int run(const Start& start) {
  if (!start.theme.empty() && start.theme != "dark" && start.theme != "light")
    throw InvalidArgument("theme: '" + start.theme + "' is not a theme of the window; allowed: dark, light");
  if (!start.study.empty()) (void)study::find(start.study);
  const Glfw glfw;
  if (!display_named() || !glfw.ready)
    throw Failure(
        "no display to open a window on; `orrery render STUDY -o FILE` writes one figure and `orrery gallery "
        "-o DIR` many without one");

  const EndSignals end([] { glfwPostEmptyEvent(); });
  SessionKeeper keeper(start.no_config ? std::filesystem::path() : session_file(),
                       [] { glfwPostEmptyEvent(); });
  return Window(start, keeper, end).run();
}

}  // namespace orrery::gui
