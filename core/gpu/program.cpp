#include "core/gpu/program.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <vector>

#include "core/tensor/error.h"

namespace orrery::gpu {
namespace {

std::string log_of(GLuint object, decltype(glGetShaderiv) get, decltype(glGetShaderInfoLog) log) {
  GLint length = 0;
  get(object, GL_INFO_LOG_LENGTH, &length);
  std::string text(static_cast<std::size_t>(std::max(length, 1)), '\0');
  log(object, length, &length, text.data());
  text.resize(static_cast<std::size_t>(length));
  return text;
}

/// The file that "#line … number // file" in the source gives to a source string number.
std::string file_of(const std::string& source, int number) {
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string directive, slashes, file;
    int first = 0, string = 0;
    if (words >> directive >> first >> string >> slashes >> file && directive == "#line" && string == number)
      return file;
  }
  return {};
}

/// Drivers begin an error with "1:12(5): error: …" (Mesa), "1(12) : error …" (NVIDIA) or "ERROR: 1:12: …"
/// (others): everywhere the first two numbers are source string and line.
std::string located(const std::string& source, const std::string& log) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const char* at = line.data();
    const char* const end = at + line.size();
    at = std::find_if(at, end, [](unsigned char c) { return std::isdigit(c) != 0; });
    int number = 0, row = 0;
    const auto first = std::from_chars(at, end, number);
    if (first.ec != std::errc{} || first.ptr == end || (*first.ptr != ':' && *first.ptr != '(')) continue;
    const auto second = std::from_chars(first.ptr + 1, end, row);
    if (second.ec != std::errc{}) continue;
    // What is left of the place goes: ")", "(5)", " :" …
    const char* message = second.ptr;
    if (message != end && *message == '(') message = std::find(message, end, ')');
    message = std::find_if(message, end, [](unsigned char c) { return std::isalpha(c) != 0; });
    const std::string file = file_of(source, number);
    if (!file.empty()) return file + ":" + std::to_string(row) + ": " + std::string(message, end);
  }
  return log.substr(0, log.find('\n'));
}

}  // namespace

Program::Program(std::string_view name, const std::string& source) {
  const GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint done = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (!done) {
    const std::string log = log_of(shader, glGetShaderiv, glGetShaderInfoLog);
    glDeleteShader(shader);
    throw Failure("shader " + std::string(name) + " does not compile: " + located(source, log));
  }
  id_ = glCreateProgram();
  glAttachShader(id_, shader);
  glLinkProgram(id_);
  glDetachShader(id_, shader);
  glDeleteShader(shader);
  glGetProgramiv(id_, GL_LINK_STATUS, &done);
  if (!done) {
    const std::string log = log_of(id_, glGetProgramiv, glGetProgramInfoLog);
    glDeleteProgram(id_);
    throw Failure("shader " + std::string(name) + " does not link: " + located(source, log));
  }
  glObjectLabel(GL_PROGRAM, id_, static_cast<GLsizei>(name.size()), name.data());
}

Program::~Program() {
  // Without a context the object is already gone with the one it lived in.
  if (id_ && eglGetCurrentContext() != EGL_NO_CONTEXT) glDeleteProgram(id_);
}

namespace {

// GL ignores a name that is not there; a misspelt one would then silently be 0.
GLint location(GLuint program, const char* uniform) {
  const GLint found = glGetUniformLocation(program, uniform);
  if (found >= 0) return found;
  char label[64] = "";
  glGetObjectLabel(GL_PROGRAM, program, sizeof label, nullptr, label);
  throw Failure("shader " + std::string(label) + " has no uniform in use named '" + uniform + "'");
}

}  // namespace

void Program::set(const char* uniform, int value) const {
  glProgramUniform1i(id_, location(id_, uniform), value);
}
void Program::set(const char* uniform, unsigned value) const {
  glProgramUniform1ui(id_, location(id_, uniform), value);
}
void Program::set(const char* uniform, float value) const {
  glProgramUniform1f(id_, location(id_, uniform), value);
}

}  // namespace orrery::gpu
