// A linked compute program that frees itself, and the sources it is made of.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace orrery::gpu {

class Program {
 public:
  Program() = default;
  /// Compiles and links; throws Failure with the driver's first error line and the shader's file and line.
  Program(std::string_view name, const std::string& source);
  Program(Program&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Program& operator=(Program&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Program();

  unsigned id() const { return id_; }
  void set(const char* uniform, int value) const;
  void set(const char* uniform, unsigned value) const;
  void set(const char* uniform, float value) const;

 private:
  unsigned id_ = 0;
};

/// The text of shaders/<name>, embedded when the program was built; read from $ORRERY_SHADER_DIR when that is
/// set. Throws InvalidArgument for a name that is not there.
std::string shader_text(std::string_view name);

/// shaders/<name>.comp with its #version line first, then the defines, then the body with every #include
/// "lib/….glsl" replaced by that file (each at most once). A comment "//> file:line" stands before each piece
/// and says where its text is from, so that errors name the right place. (Not #line: Mesa forgets the source
/// number in some messages, and drivers have disagreed on which line it numbers.)
std::string shader_source(std::string_view name, std::span<const std::string> defines);
inline constexpr std::string_view place_mark = "//> ";

/// The first error of a driver's log as one line that begins with the shader's file and line.
std::string located_error(const std::string& source, const std::string& log);

}  // namespace orrery::gpu
