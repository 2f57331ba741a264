// The reference of ops that arithmetic limits: as many multiply-adds, with nothing to load.
#pragma once

namespace orrery::bench {

/// At least `flops` floating-point operations (a multiply-add is two) in float, spread over all threads. Twelve sums run
/// side by side in the widest vectors of the processor, more than any has in flight.
void multiply_adds(double flops);
/// The same in double: vectors of half as many.
void multiply_adds_in_double(double flops);

}  // namespace orrery::bench
