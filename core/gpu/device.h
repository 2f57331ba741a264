// A graphics processor to compute on: an OpenGL context of its own, made through EGL without any window or
// display, used by exactly one thread at a time (the thread that made it). Host arrays in, host arrays out;
// no GL object leaves core.
//
// Context: Mesa's surfaceless platform, else an EGL device, else the default display; OpenGL 4.3 core or
// newer.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/gpu/buffer.h"
#include "core/gpu/program.h"

namespace orrery::gpu {

struct DeviceInfo {
  std::string vendor, renderer, version;
  bool software = false;  ///< llvmpipe, softpipe, swrast: the program then prefers the cpu, and says so
};

/// What an invocation of a shader goes through, and how. Drivers end loops that seem endless: llvmpipe each invocation after
/// 65535 turns of all its loops together, without a word, and what comes out is garbage. So every dispatch whose
/// shader loops over its data says how far.
struct Loops {
  tensor::Index length = 0;     ///< of what is gone through
  tensor::Index at_a_time = 1;  ///< so much of it in a turn
  tensor::Index passes = 1;     ///< loops over it, one after the other …
  bool nested = false;          ///< … or one of the same length inside the other

  /// A row by a work group, see lib/row.glsl.
  static Loops over_row(tensor::Index length, tensor::Index passes) { return {length, 256, passes}; }
  /// The inner axis of a product, see lib/tile.glsl.
  static Loops over_tiles(tensor::Index length) { return {length, 16}; }

  /// The greatest length that all of these drivers go through. A few turns are left for what does not grow with it.
  tensor::Index most() const;
};

class Device {
 public:
  /// Throws Failure when there is no driver that can do it; the message says what was tried.
  Device();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceInfo& info() const;

  /// The compiled program of shaders/<name>.comp with `defines` ("LAYOUT 1") put before it; compiled once and
  /// kept.
  const Program& program(std::string_view name, std::span<const std::string> defines = {});

  /// Binds buffers to shader storage slots 0, 1, 2 … in order and runs groups_x × groups_y × groups_z work
  /// groups.
  void dispatch(const Program&, std::span<const Buffer* const> buffers, unsigned groups_x,
                unsigned groups_y = 1, unsigned groups_z = 1);
  /// The same for any number of work groups, or of elements at 256 to a group: folded into a grid where one
  /// dimension cannot hold them. Shaders find their place in it with group_index() and element_index() of
  /// lib/group.glsl.
  /// Throw Declined where the driver would not go through the loops to their end.
  void dispatch_groups(const Program&, std::span<const Buffer* const> buffers, tensor::Index groups,
                       const Loops&);
  void dispatch_elements(const Program&, std::span<const Buffer* const> buffers, tensor::Index elements,
                         const Loops& = {});
  /// One work group to each tile of 16 × 16 of a result of rows × cols: see lib/tile.glsl.
  void dispatch_tiles(const Program&, std::span<const Buffer* const> buffers, tensor::Index rows,
                      tensor::Index cols, const Loops&);
  void finish();

  /// For as long as it lives, every dispatch is handed to `see`, as a function that repeats it on arrays that lie on the
  /// device: how benchmarks time an op without its transfers. What `see` itself dispatches is not handed to it.
  class Probe {
   public:
    using See = std::function<void(const std::function<void()>& dispatch)>;
    Probe(Device&, See);
    ~Probe();
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

   private:
    Device& device_;
  };

  /// The device of the calling thread, made on first use and kept until the thread ends. Throws Failure as
  /// above.
  static Device& of_this_thread();

 private:
  void require_short(const Loops&) const;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery::gpu
