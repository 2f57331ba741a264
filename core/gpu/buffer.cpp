#include "core/gpu/buffer.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <algorithm>

#include "core/tensor/error.h"

namespace orrery::gpu {
namespace {

GLintptr row_offset(tensor::Index row, tensor::Index cols) {
  return static_cast<GLintptr>(row * cols) * static_cast<GLintptr>(sizeof(float));
}

GLsizeiptr size_of(tensor::Index values) {
  return static_cast<GLsizeiptr>(values) * GLsizeiptr{sizeof(float)};
}

}  // namespace

Buffer::Buffer(std::size_t bytes) : bytes_(bytes) {
  GLint64 limit = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
  if (bytes > static_cast<std::size_t>(limit))
    throw Failure(wrong("the graphics device holds at most {} MiB in one array; {} MiB were asked for",
                        limit >> 20, bytes >> 20));
  glGenBuffers(1, &id_);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, id_);
  // A buffer without storage cannot be bound; one float stands for none.
  glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(std::max(bytes, sizeof(float))), nullptr,
               GL_DYNAMIC_COPY);
  if (glGetError() == GL_OUT_OF_MEMORY) {
    glDeleteBuffers(1, &id_);
    throw Failure(wrong("the graphics device has no room for {} MiB", bytes >> 20));
  }
}

Buffer::Buffer(std::span<const float> values) : Buffer(values.size_bytes()) {
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(values.size_bytes()), values.data());
}

Buffer::Buffer(tensor::View<const float> values)
    : Buffer(static_cast<std::size_t>(values.size()) * sizeof(float)) {
  if (values.stride == values.cols) {
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, size_of(values.size()), values.data);
    return;
  }
  for (tensor::Index row = 0; row < values.rows; ++row)
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, row_offset(row, values.cols), size_of(values.cols),
                    values.row(row).data());
}

Buffer::~Buffer() {
  // Without a context the object is already gone with the one it lived in.
  if (id_ && eglGetCurrentContext() != EGL_NO_CONTEXT) glDeleteBuffers(1, &id_);
}

void Buffer::read(tensor::View<float> to) const {
  if (to.empty()) return;
  if (static_cast<std::size_t>(to.size()) * sizeof(float) > bytes_)
    throw InvalidArgument(wrong("a buffer of {} bytes cannot fill {}×{} floats", bytes_, to.rows, to.cols));
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, id_);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  if (to.stride == to.cols) {
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, size_of(to.size()), to.data);
    return;
  }
  for (tensor::Index row = 0; row < to.rows; ++row)
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, row_offset(row, to.cols), size_of(to.cols),
                       to.row(row).data());
}

}  // namespace orrery::gpu
