#include "app/gui/window.h"

#include <epoxy/gl.h>

// epoxy first: GLFW must find GL's types declared
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>

#include "app/gui/end_signals.h"
#include "app/gui/extent.h"
#include "app/gui/frame.h"
#include "app/gui/glfw_input.h"
#include "app/gui/imgui_compat_input.h"
#include "app/gui/rhythm.h"
#include "app/gui/session_keeper.h"
#include "app/study/gpu_report.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

constexpr int least_width = 640, least_height = 400;
constexpr double longest_sleep = 30;            // seconds; nothing but events and wishes ends it earlier
constexpr double longest_unpainted = 1.0 / 30;  // seconds that queued input may go on before it is seen
constexpr double hidden_beat =
    1;  // seconds, while nobody sees it: a window that comes back is drawn at its first event
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

constexpr const char* display_variables[] = {"DISPLAY", "WAYLAND_DISPLAY"};

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

bool display_named() {
  return std::ranges::any_of(display_variables, [](const char* each) { return !value_of(each).empty(); });
}

/// Why there is none.
std::string no_display() {
  std::string named;
  for (const char* each : display_variables)
    if (const std::string value = value_of(each); !value.empty())
      named += (named.empty() ? "" : ", ") + std::string(each) + "=" + value;
  return named.empty() ? "no display to open a window on" : "the display cannot be opened: " + named;
}

std::string renderer() {
  const GLubyte* name = glGetString(GL_RENDERER);
  return name ? reinterpret_cast<const char*>(name) : "";
}

/// In hertz; 0: unknown.
double display_rate() {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  return mode ? mode->refreshRate : 0;
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

/// Something to see from another thread: it ends the window's sleep.
class Bell {
 public:
  void ring() {
    rung_ = true;
    glfwPostEmptyEvent();
  }
  bool take() { return rung_.exchange(false); }

 private:
  std::atomic<bool> rung_ = false;
};

class Window {
 public:
  Window(const Start&, SessionKeeper&, const EndSignals&, Bell&);
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
  void think(double now);
  void paint();
  void draw();
  void name_window();
  void obey(const WindowWishes&);
  bool hidden() const;
  void sleep();
  bool ended() const { return end_.asked() || glfwWindowShouldClose(window_); }
  void poll_gpu();

  GLFWwindow* window_ = nullptr;
  std::string named_;
  SessionKeeper& keeper_;
  const EndSignals& end_;
  double asked_scale_;
  Extent extent_;
  Bell& bell_;
  std::optional<GlfwInput> input_;
  Rhythm rhythm_;
  double frame_seconds_ = 0, thought_ = 0;
  std::future<study::GpuReport> gpu_;
  GlTextures textures_;
  std::unique_ptr<Ui> ui_;
  App app_;
  Frame frame_;
  Inquiry keys_;  // a person's own
};

Window::Window(const Start& start, SessionKeeper& keeper, const EndSignals& end, Bell& bell)
    : keeper_(keeper), end_(end), asked_scale_(start.scale), bell_(bell), app_([&bell] { bell.ring(); }) {
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
  input_.emplace(window_, [this](const auto& files) { app_.take_files(files); });
  rhythm_.set_rate(display_rate(), study::is_software_driver(renderer()));

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a caret that blinks keeps the program awake
  compat::trickle_no_more();
  ImGui_ImplGlfw_InitForOpenGL(window_, false);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  ui_ = std::make_unique<Ui>(textures_);
  open_first(start);
  read_keys();
  gpu_ = std::async(std::launch::async, [&bell] {
    study::GpuReport report = study::ask_for_gpu();
    bell.ring();
    return report;
  });
}

Window::~Window() {
  if (gpu_.valid()) gpu_.wait();
  ui_.reset();
  input_.reset();
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
    if (start.file.empty() && start.study.empty()) {
      app_.toggle_play();
      frame_.welcome();
    }
  }
  if (!start.study.empty()) app_.open(study::find(start.study));
  if (!start.file.empty()) app_.take_file(start.file, study::short_wait / 2);
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
  input_->queue.restate();
  input_->queue.feed(ui_->keys);
  ImGui::NewFrame();
  ui_->begin_frame();
  WindowWishes wishes = frame_.draw(app_, *ui_, frame_seconds_);
  ImGui::Render();
  return wishes;
}

/// A person's own keys; what is wrong in the file is said at once, and the rest of it holds.
void Window::read_keys() {
  const std::filesystem::path file = key_map_file();
  const auto complain = [this](const std::string& why) { app_.notice = {Notice::Kind::error, why}; };
  const auto read = [this, file, complain]() -> Inquiry::Then {
    KeyMap keys;
    std::string said;
    for (const std::string& fault : keys.read(file)) said += (said.empty() ? "" : "; ") + fault;
    return [this, keys, said, complain] {
      frame_.key_map = keys;
      if (!said.empty()) complain(said);
    };
  };
  keys_.ask(file.string(), read, complain, [&bell = bell_] { bell.ring(); });
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

/// What the next thing that a person did changes, and what the frame of it looks like.
void Window::think(double now) {
  const double since = now - thought_;
  thought_ = now;
  poll_gpu();
  keys_.poll();
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
  obey(wishes);
}

void Window::paint() {
  glViewport(0, 0, extent_.framebuffer.width, extent_.framebuffer.height);
  const figure::Color ground = ui_->tokens.ground;
  glClearColor(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
               static_cast<float>(ground.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glFinish();  // so that what a frame costs is known, not what it costs to ask for one
}

/// All that came since the last frame, a thing at a time; only how it ends is painted.
void Window::draw() {
  const double began = glfwGetTime();
  double now = began;
  do {
    think(now);
    now = glfwGetTime();
  } while (input_->queue.pending() && now - began < longest_unpainted && !ended());
  paint();
  frame_seconds_ = glfwGetTime() - now;
  glfwSwapBuffers(window_);
  rhythm_.drawn(began, frame_seconds_);
  if (input_->queue.pending()) rhythm_.happened();
  keep_session();
}

void Window::obey(const WindowWishes& wishes) {
  if (wishes.close) glfwSetWindowShouldClose(window_, GLFW_TRUE);
  double& zoom = app_.preferences.zoom;
  if (wishes.zoom_reset) zoom = 1;
  if (wishes.zoom_steps != 0)
    zoom = std::clamp(std::round(1000 * zoom * std::pow(zoom_step, wishes.zoom_steps)) / 1000, 0.5, 4.0);
}

/// Put aside, or on a desktop that is not shown. What another window covers, nobody tells.
bool Window::hidden() const {
  return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE ||
         glfwGetWindowAttrib(window_, GLFW_VISIBLE) == GLFW_FALSE;
}

/// Until the next frame is due.
void Window::sleep() {
  while (!ended()) {
    const bool unseen = hidden();
    const double due = rhythm_.due({ui_->wake_after, app_.playing() != nullptr, unseen});
    const double wait = std::min(due - glfwGetTime(), longest_sleep);
    if (wait > 0)
      glfwWaitEventsTimeout(unseen ? std::min(wait, hidden_beat) : wait);
    else
      glfwPollEvents();
    if (bell_.take()) rhythm_.news();
    if (input_->take_happened()) rhythm_.happened();
    if (unseen)
      keep_session();
    else if (wait <= 0)
      return;
  }
}

int Window::run() {
  while (!ended()) {
    draw();
    sleep();
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
        no_display() +
        "; `orrery render STUDY -o FILE` writes one figure and `orrery gallery -o DIR` many without one");

  Bell bell;
  const EndSignals end([&bell] { bell.ring(); });
  SessionKeeper keeper(start.no_config ? std::filesystem::path() : session_file(), [&bell] { bell.ring(); });
  return Window(start, keeper, end, bell).run();
}

}  // namespace orrery::gui
