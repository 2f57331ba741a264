#version 430
// Batch normalisation, one work group to 16 columns: neighbours read along a row, 16 rows at a time. Contract:
// core/norm/batch_norm.h; twin: batch_norm_cpu.cpp. Defines: WEIGHT, BIAS when there is one; SAMPLES for instance_norm, where
// samples of so many rows stand one below the other.
#include "lib/bits.glsl"
#include "lib/group.glsl"
#include "lib/twofold.glsl"

layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
#ifdef WEIGHT
layout(std430, binding = 2) readonly buffer Weight { float weight[]; };
#endif
#ifdef BIAS
layout(std430, binding = 3) readonly buffer Bias { float bias[]; };
#endif
uniform uint rows;
uniform uint cols;
uniform float eps;
#ifdef SAMPLES
uniform uint samples;
#endif

const uint COLUMNS = 16u;
const uint LANES = GROUP / COLUMNS;  // invocations that share a column
// Up to so many rows stay in shared memory between the passes, so that each value is read once; longer columns are read
// again in each pass.
const uint ROWS_SHARED = 256u;

shared float column_values[ROWS_SHARED * COLUMNS];
shared vec2 partial[GROUP];
shared ivec2 partial_ranks[GROUP];

uint lane() { return gl_LocalInvocationIndex / COLUMNS; }
uint column_in_group() { return gl_LocalInvocationIndex % COLUMNS; }

#ifdef SAMPLES
uint groups_across() { return (cols + COLUMNS - 1u) / COLUMNS; }
uint first_column() { return group_index() % groups_across() * COLUMNS; }
uint sample_first() { return group_index() / groups_across() * rows * cols; }
bool is_beyond() { return group_index() / groups_across() >= samples; }
#else
uint first_column() { return group_index() * COLUMNS; }
uint sample_first() { return 0u; }
bool is_beyond() { return first_column() >= cols; }
#endif

#define FOR_OWN_ROWS(i) for (uint i = lane(); i < rows; i += LANES)

float kept(uint i, uint j) {
  return rows <= ROWS_SHARED ? column_values[i * COLUMNS + column_in_group()] : x[sample_first() + i * cols + j];
}

void partial_barrier() {
  memoryBarrierShared();
  barrier();
}

// Over the invocations of a column; all of the group must call.
vec2 column_sum(vec2 value) {
  partial[gl_LocalInvocationIndex] = value;
  partial_barrier();
  vec2 sum = partial[column_in_group()];
  for (uint i = 1u; i < LANES; ++i) sum = compensated(sum, partial[i * COLUMNS + column_in_group()]);
  partial_barrier();  // nobody may write again before all have read
  return sum;
}

ivec2 column_max(ivec2 ranks) {
  partial_ranks[gl_LocalInvocationIndex] = ranks;
  partial_barrier();
  ivec2 largest = partial_ranks[column_in_group()];
  for (uint i = 1u; i < LANES; ++i) largest = max(largest, partial_ranks[i * COLUMNS + column_in_group()]);
  partial_barrier();
  return largest;
}

void main() {
  if (is_beyond()) return;
  // The last columns of the last group do the work of the last column, and store nothing.
  uint own = first_column() + column_in_group();
  uint j = min(own, cols - 1u);

  // load
  ivec2 extremes = ivec2(rank_of(-INFINITY));  // of x and, turned round, of x
  FOR_OWN_ROWS(i) {
    float v = x[sample_first() + i * cols + j];
    if (rows <= ROWS_SHARED) column_values[i * COLUMNS + column_in_group()] = v;
    extremes = max(extremes, is_finite(v) ? ivec2(rank_of(v), ~rank_of(v)) : ivec2(rank_of(INFINITY)));
  }
  extremes = column_max(extremes);
  float highest = of_rank(extremes.x), lowest = of_rank(~extremes.y);
  float largest = of_rank(max(rank_of_magnitude(highest), rank_of_magnitude(lowest)));
  // The cpu twin sums in double. Here everything is divided by a power of two near the larger of |x| and
  // the root of eps: that is exact, and no square overflows.
  float inverse_scale = 1.0 / power_of_two_below(max(largest, sqrt(eps)));

  // reduce
  vec2 sum = vec2(0.0);
  FOR_OWN_ROWS(i) sum = compensated(sum, scaled(kept(i, j), inverse_scale));
  sum = column_sum(sum);
  // Held inside the column's range it is exact for a constant column.
  float mean = clamp(total_of(sum) / float(rows), scaled(lowest, inverse_scale), scaled(highest, inverse_scale));
  // What rounding the mean left over is found in the same pass as the squares and taken off both.
  vec2 centred_sum = vec2(0.0), square_sum = vec2(0.0);
  FOR_OWN_ROWS(i) {
    precise float centred = scaled(kept(i, j), inverse_scale) - mean;
    centred_sum = compensated(centred_sum, centred);
    square_sum = compensated(square_sum, centred * centred);
  }
  centred_sum = column_sum(centred_sum);
  square_sum = column_sum(square_sum);
  float rest = total_of(centred_sum) / float(rows);
  float variance = max(total_of(square_sum) / float(rows) - rest * rest, 0.0);

  // scale
  // An eps too small for a normal number must not become 0: a constant column has variance 0.
  float scaled_eps = eps > 0.0 ? max(eps * inverse_scale * inverse_scale, 1.2e-38) : 0.0;
  float r = 1.0 / sqrt(variance + scaled_eps);
  if (largest == INFINITY) r = NOT_A_NUMBER;

  // store
  if (own >= cols) return;
  FOR_OWN_ROWS(i) {
    precise float centred = (scaled(kept(i, j), inverse_scale) - mean) - rest;
    float v = centred * r;
#ifdef WEIGHT
    v *= weight[j];
#endif
#ifdef BIAS
    v += bias[j];
#endif
    y[sample_first() + i * cols + j] = v;
  }
}
