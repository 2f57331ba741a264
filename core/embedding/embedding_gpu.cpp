#include <vector>

#include "core/embedding/embedding.h"
#include "core/gpu/device.h"
#include "core/tensor/declined.h"

namespace orrery::embedding {

using tensor::Index;

void embedding_gpu(gpu::Device& device, std::span<const Index> ids, tensor::View<const float> table,
                   Scale scale, tensor::View<float> y) {
  constexpr Index most = Index{1} << 24;
  if (table.rows > most) {
    throw Declined(about(Subject::Kind::device, "gpu")
                       .found(table.rows)
                       .fault("found a table of {} rows", table.rows)
                       .allowed("up to {} here, or any number with ref and cpu", most));
  }
  if (y.empty()) return;
  const gpu::Program& program = device.program("embedding");
  program.set("count", static_cast<unsigned>(y.size()));
  program.set("cols", static_cast<unsigned>(y.cols));
  program.set("scale", static_cast<float>(scale_factor(scale, table.cols)));

  const std::vector<float> ids_as_floats(ids.begin(), ids.end());  // exact up to 2²⁴
  const gpu::Buffer ids_buffer{std::span<const float>(ids_as_floats)}, table_buffer(table),
      y_buffer(static_cast<std::size_t>(y.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&ids_buffer, &table_buffer, &y_buffer};
  device.dispatch_elements(program, buffers, y.size());
  y_buffer.read(y);
}

}  // namespace orrery::embedding
