#include "core/gpu/device.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>

#include "core/gpu/egl_context.h"
#include "core/tensor/declined.h"
#include "core/tensor/error.h"

namespace orrery::gpu {
namespace {

std::string text(GLenum name) {
  return reinterpret_cast<const char*>(glGetString(name));
}

}  // namespace

// The context is declared first, so that it outlives the programs that were made in it.
struct Device::State {
  struct Compiled {
    std::string source;
    Program program;
  };

  EglContext context;
  DeviceInfo info{text(GL_VENDOR), text(GL_RENDERER), text(GL_VERSION), context.software()};
  std::map<std::string, Compiled, std::less<>> programs;  ///< by folder, name and defines
  Probe::See probe;                                       ///< empty: nobody looks
};

Device::Device() : state_(std::make_unique<State>()) {}

Device::~Device() {
  // Programs are deleted in the context they were made in. A destructor has nobody to complain to: should the
  // context have been taken to another thread, they go with it.
  try {
    state_->context.make_current();
  } catch (const Failure&) {
  }
}

const DeviceInfo& Device::info() const {
  return state_->info;
}

const Program& Device::program(std::string_view name, std::span<const std::string> defines) {
  state_->context.make_current();
  const char* directory = std::getenv("ORRERY_SHADER_DIR");
  std::string key = (directory ? directory : "") + ('\n' + std::string(name));
  for (const std::string& define : defines) key += '\n' + define;
  const auto found = state_->programs.find(key);
  // Shaders that are being edited on disk are compiled again when their text has changed.
  if (found != state_->programs.end() && !directory) return found->second.program;
  std::string source = shader_source(name, defines);
  if (found != state_->programs.end() && found->second.source == source) return found->second.program;

  Program program(std::string(name) + ".comp", source);
  State::Compiled& compiled = state_->programs[key];
  compiled = {std::move(source), std::move(program)};
  return compiled.program;
}

void Device::dispatch(const Program& program, std::span<const Buffer* const> buffers, unsigned groups_x,
                      unsigned groups_y, unsigned groups_z) {
  state_->context.make_current();
  const auto run = [&] {
    for (std::size_t slot = 0; slot < buffers.size(); ++slot)
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(slot), buffers[slot]->id());
    glUseProgram(program.id());
    glDispatchCompute(groups_x, groups_y, groups_z);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  };
  if (state_->probe) {
    const Probe::See probe = std::exchange(state_->probe, {});
    probe(run);
    state_->probe = probe;
  } else {
    run();
  }
  if (const GLenum error = glGetError(); error != GL_NO_ERROR)
    throw Failure(wrong(
        "the graphics device refused {} work groups (GL error {})",
        std::to_string(groups_x) + "×" + std::to_string(groups_y) + "×" + std::to_string(groups_z), error));
}

tensor::Index Loops::most() const {
  constexpr tensor::Index turns = 65000;  // of 65535
  if (!nested) return turns / passes * at_a_time;
  return static_cast<tensor::Index>(std::sqrt(static_cast<double>(turns)));
}

void Device::require_short(const Loops& loops) const {
  if (!state_->info.software || loops.length <= loops.most()) return;
  throw Declined(about(Subject::Kind::device, "gpu")
                     .found(loops.length)
                     .fault("found sums of {} terms", loops.length)
                     .allowed("up to {} here, or any number with ref and cpu", loops.most()));
}

void Device::dispatch_groups(const Program& program, std::span<const Buffer* const> buffers,
                             tensor::Index groups, const Loops& loops) {
  require_short(loops);
  if (groups == 0) return;
  constexpr tensor::Index most = 65535;  // what every OpenGL 4.3 device takes in one dimension
  const tensor::Index groups_x = std::min(groups, most);
  dispatch(program, buffers, static_cast<unsigned>(groups_x),
           static_cast<unsigned>((groups + groups_x - 1) / groups_x));
}

void Device::dispatch_elements(const Program& program, std::span<const Buffer* const> buffers,
                               tensor::Index elements, const Loops& loops) {
  constexpr tensor::Index group = 256;  // as in lib/group.glsl
  dispatch_groups(program, buffers, (elements + group - 1) / group, loops);
}

void Device::dispatch_tiles(const Program& program, std::span<const Buffer* const> buffers,
                            tensor::Index rows, tensor::Index cols, const Loops& loops) {
  constexpr tensor::Index tile = 16;  // as in lib/tile.glsl
  dispatch_groups(program, buffers, ((rows + tile - 1) / tile) * ((cols + tile - 1) / tile), loops);
}

void Device::finish() {
  state_->context.make_current();
  glFinish();
}

Device::Probe::Probe(Device& device, See see) : device_(device) {
  device_.state_->probe = std::move(see);
}

Device::Probe::~Probe() {
  device_.state_->probe = {};
}

Device& Device::of_this_thread() {
  thread_local Device device;
  return device;
}

}  // namespace orrery::gpu
