#include "app/gui/window.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <future>
#include <memory>
#include <optional>

#include "app/gui/display.h"
#include "app/gui/end_signals.h"
#include "app/gui/frame.h"
#include "app/gui/glfw_input.h"
#include "app/gui/leaving.h"
#include "app/gui/rhythm.h"
#include "app/gui/session_keeper.h"
#include "app/gui/sharpness.h"
#include "app/gui/surface.h"
#include "app/language/error.h"
#include "app/study/gpu_report.h"
#include "core/tensor/complaint_words.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

constexpr double longest_sleep = 30;            // seconds; nothing but events and wishes ends it earlier
constexpr double longest_unpainted = 1.0 / 30;  // seconds that queued input may go on before it is seen
constexpr double hidden_beat =
    1;  // seconds, while nobody sees it: a window that comes back is drawn at its first event
constexpr double still_after = 0.15;  // seconds: what moved in this time may move on
constexpr double zoom_step = 1.1;
constexpr std::string_view first_study = "rope/rotation";  // the orrery itself

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
  void fit_scale();
  void say_if_too_large(bool chosen, double natural, int width, int height);
  WindowWishes compose();
  void think(double now);
  void draw();
  void obey(const WindowWishes&);
  void leave_unseen();
  void say_what_was_stopped();
  void sleep();
  bool moves(double now);
  bool ended() const { return end_.asked() || leaving_.gone(); }
  void poll_gpu();

  Surface surface_;  // first: all else draws on it
  SessionKeeper& keeper_;
  const EndSignals& end_;
  double asked_scale_;
  double zoom_ = 0;      // that was looked at last
  Complaint too_large_;  // what was said of it
  Bell& bell_;
  std::optional<GlfwInput> input_;
  Rhythm rhythm_;
  Sharpness sharpness_;
  double frame_seconds_ = 0, thought_ = 0, wheeled_ = -1e9;
  std::future<study::GpuReport> gpu_;
  GlTextures textures_;
  std::unique_ptr<Ui> ui_;
  App app_;
  Frame frame_;
  Leaving leaving_;
  Inquiry keys_;  // a person's own
};

Window::Window(const Start& start, SessionKeeper& keeper, const EndSignals& end, Bell& bell)
    : surface_(keeper.found().width, keeper.found().height),
      keeper_(keeper),
      end_(end),
      asked_scale_(start.scale),
      bell_(bell),
      app_([&bell] { bell.ring(); }) {
  input_.emplace(surface_.handle(), [this](const auto& files) { app_.take_files(files); });
  rhythm_.set_rate(display_rate(), study::is_software_driver(renderer()));
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
}

// What the command line says, else where the person was, else the orrery itself, turning.
void Window::open_first(const Start& start) {
  const bool before = keeper_.restore(app_);
  if (!start.theme.empty()) app_.preferences.theme = start.theme;
  if (!start.language.empty()) app_.preferences.language = start.language;
  if (start.high_contrast) app_.preferences.high_contrast = true;
  if (start.reduced_motion) app_.reduce_motion(true);
  if (!before) {
    const auto all = study::studies();
    const auto rotation =
        std::find_if(all.begin(), all.end(), [](const study::Study* s) { return s->id == first_study; });
    if (rotation != all.end()) app_.start_with(**rotation);
    if (start.file.empty() && start.study.empty()) {
      if (!app_.preferences.reduced_motion) app_.toggle_play();
      frame_.welcome();
    }
  }
  if (!start.study.empty()) app_.open(study::find(start.study));
  if (!start.file.empty()) app_.take_file(start.file, study::short_wait / 2);
}

void Window::keep_session() {
  ui_->wake_in(
      keeper_.poll(glfwGetTime(), app_, surface_.extent().window.width, surface_.extent().window.height));
}

// X11 gives windows in pixels and asks for larger contents; others give larger framebuffers. Both come out
// right: layout units are what the mouse counts in, and the raster says how many device pixels each of them
// has.
void Window::fit_scale() {
  const Extent& extent = surface_.extent();
  const float raster = extent.raster();
  const double natural = (asked_scale_ > 0 ? asked_scale_ : surface_.content_scale()) / raster;
  const double zoom = app_.preferences.zoom;
  const int width = extent.window.width, height = extent.window.height;
  say_if_too_large(zoom != zoom_, natural, width, height);
  zoom_ = zoom;
  const float scale = fitting_scale(zoom * natural, width, height);
  if (scale == ui_->scale && raster == ui_->raster && ui_->faces.words.font) return;
  ui_->set_scale(scale, raster);
  surface_.renew_font_texture();
}

/// A size that was chosen just now; the one that the window began with is nobody's choice of now. What was said of it goes, or
/// changes, with the window.
void Window::say_if_too_large(bool chosen, double natural, int width, int height) {
  const bool stands = !too_large_.empty() && app_.notice().complaint == too_large_;
  if (zoom_ == 0 || (!chosen && !stands)) return;
  const Phrase note = too_large(app_.preferences.zoom, natural, width, height);
  const Complaint now = note.empty() ? Complaint() : Complaint().fault(note);
  if (!chosen && now == too_large_) return;
  if (stands) app_.hush();
  too_large_ = now;
  if (!note.empty()) app_.say(Notice::Kind::none, too_large_);
}

WindowWishes Window::compose() {
  surface_.begin_frame();
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
  const auto complain = [this](const Complaint& why) { app_.say(why); };
  const auto read = [this, file]() -> Inquiry::Then {
    KeyMap keys;
    Phrase said;
    for (const Complaint& fault : keys.read(file))
      said = said.empty() ? sentence(fault) : words("{}; {}", said, sentence(fault));
    return [this, keys, said] {
      frame_.key_map = keys;
      if (!said.empty()) app_.say(Complaint().fault(said));
    };
  };
  keys_.ask(file.string(), read, complain, [&bell = bell_] { bell.ring(); });
}

void Window::poll_gpu() {
  if (!gpu_.valid() || gpu_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  const study::GpuReport report = gpu_.get();
  app_.gpu = {true, report.available, report.software, report.text};
  if (!report.available && app_.notice().text.empty())
    app_.say(Notice::Kind::none, "no graphics processor to compute on: " + report.text);
}

/// What the next thing that a person did changes, and what the frame of it looks like.
void Window::think(double now) {
  const double since = now - thought_;
  thought_ = now;
  poll_gpu();
  keys_.poll();
  surface_.measure();
  fit_scale();
  const figure::Theme& theme = screen_theme(app_.preferences.theme, app_.preferences.high_contrast);
  if (ui_->theme != &theme) ui_->set_theme(theme);
  app_.update(since);
  leaving_.update(app_);
  surface_.name(ui_->say(app_.study().title) + " \u2014 Orrery");

  const WindowWishes wishes = compose();
  if (ui_->renew_faces()) {  // nobody sees the frame that only found out which characters are wanted
    surface_.renew_font_texture();
    obey(compose());
  }
  obey(wishes);
}

/// Whether the next picture is one of many.
bool Window::moves(double now) {
  if (ImGui::GetIO().MouseWheel != 0 || ImGui::GetIO().MouseWheelH != 0) wheeled_ = now;
  return Moves{.plays = app_.playing() != nullptr,
               .in_steps = app_.preferences.reduced_motion,
               .handled = ImGui::IsAnyMouseDown() || now - wheeled_ < still_after}
      .any();
}

/// All that came since the last frame, a thing at a time; only how it ends is painted.
void Window::draw() {
  const double began = glfwGetTime();
  double now = began;
  do {
    think(now);
    now = glfwGetTime();
  } while (input_->queue.pending() && now - began < longest_unpainted && !ended());
  const bool coarse = sharpness_.coarse(moves(now), now);
  surface_.paint(ui_->tokens.ground, coarse);
  const double painted = glfwGetTime();
  frame_seconds_ = painted - now;
  sharpness_.painted(coarse, frame_seconds_, painted);
  if (coarse) ui_->wake_in(still_after);
  surface_.show();
  rhythm_.drawn(began, frame_seconds_);
  if (input_->queue.pending()) rhythm_.happened();
  keep_session();
}

void Window::obey(const WindowWishes& wishes) {
  if (wishes.close) leaving_.ask(app_, glfwGetTime());
  double& zoom = app_.preferences.zoom;
  if (wishes.zoom_reset) zoom = 1;
  if (wishes.zoom_steps != 0)
    zoom = std::clamp(std::round(1000 * zoom * std::pow(zoom_step, wishes.zoom_steps)) / 1000, 0.5, 4.0);
}

/// Put aside and closed, it waits for a file without being drawn; if it stays after all, somebody should look.
void Window::leave_unseen() {
  if (!leaving_.waits()) return;
  app_.update(0);
  leaving_.update(app_);
  if (!leaving_.waits() && !leaving_.gone()) surface_.ask_for_attention();
}

/// The window has gone: whoever closed it while files were being written reads here what became of them.
void Window::say_what_was_stopped() {
  const std::optional<ExportReport> report = app_.end_export();
  if (!report || (!report->cancelled && report->failed.empty())) return;
  const std::string line =
      language::say_phrase(ui_->language, words("closed while files were being written: {}", said(*report)));
  std::fprintf(stderr, "orrery: %s\n", line.c_str());
}

/// Until the next frame is due.
void Window::sleep() {
  while (!ended()) {
    const bool unseen = surface_.hidden();
    const bool runs =
        app_.playing() && !app_.preferences.reduced_motion;  // in steps it is looked at now and then
    const double wake = app_.playing() ? std::min(ui_->wake_after, 0.1) : ui_->wake_after;
    const double due = rhythm_.due({wake, runs, unseen});
    const double wait = std::min(due - glfwGetTime(), longest_sleep);
    if (wait > 0)
      glfwWaitEventsTimeout(unseen ? std::min(wait, hidden_beat) : wait);
    else
      glfwPollEvents();
    if (surface_.take_close()) {
      leaving_.ask(app_, glfwGetTime());
      rhythm_.news();
    }
    if (bell_.take()) rhythm_.news();
    if (input_->take_happened()) rhythm_.happened();
    if (unseen) {
      keep_session();
      leave_unseen();
    } else if (wait <= 0) {
      return;
    }
  }
}

int Window::run() {
  try {
    while (!ended()) {
      draw();
      sleep();
    }
  } catch (...) {
    keeper_.leave();  // the next start restores what was here
    throw;
  }
  keeper_.finish(app_, surface_.extent().window.width, surface_.extent().window.height);
  surface_.hide();
  say_what_was_stopped();
  return 0;
}

}  // namespace

int run(const Start& start) {
  if (!start.theme.empty() && start.theme != "dark" && start.theme != "light")
    throw InvalidArgument(about(Subject::Kind::key, "theme")
                              .found(start.theme)
                              .fault("{} is not a theme of the window", in_apostrophes(start.theme))
                              .allowed(name_phrase("dark, light")));
  if (!start.study.empty()) (void)study::find(start.study);
  const Glfw glfw;
  if (!display_named() || !glfw.ready)
    throw Failure(wrong(
        "{}; `orrery render STUDY -o FILE` writes one figure and `orrery gallery -o DIR` many without one",
        no_display()));

  Bell bell;
  const EndSignals end([&bell] { bell.ring(); });
  SessionKeeper keeper(start.no_config ? std::filesystem::path() : session_file(), [&bell] { bell.ring(); });
  return Window(start, keeper, end, bell).run();
}

}  // namespace orrery::gui
