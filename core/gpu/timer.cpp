#include "core/gpu/timer.h"

#include <epoxy/gl.h>

namespace orrery::gpu {
namespace {

/// A query object that frees itself.
class Query {
 public:
  Query() { glGenQueries(1, &id_); }
  ~Query() { glDeleteQueries(1, &id_); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  unsigned id() const { return id_; }

 private:
  unsigned id_ = 0;
};

}  // namespace

double device_milliseconds(const std::function<void()>& work) {
  const Query query;
  glBeginQuery(GL_TIME_ELAPSED, query.id());
  work();
  glEndQuery(GL_TIME_ELAPSED);
  GLuint64 nanoseconds = 0;
  glGetQueryObjectui64v(query.id(), GL_QUERY_RESULT, &nanoseconds);  // waits
  return static_cast<double>(nanoseconds) * 1e-6;
}

}  // namespace orrery::gpu
