#include "core/gpu/program.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <algorithm>

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
    throw Failure(wrong("shader {} does not compile: {}", name, located_error(source, log)));
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
    throw Failure(wrong("shader {} does not link: {}", name, located_error(source, log)));
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
  throw Failure(wrong("shader {} has no uniform in use named {}", label, in_apostrophes(uniform)));
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
