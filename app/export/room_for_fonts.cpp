#include "app/export/room_for_fonts.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <cerrno>

#include "core/file/descriptor.h"
#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

constexpr rlim_t least_addresses = rlim_t{512} << 20, least_data = rlim_t{64} << 20;

rlim_t limit(__rlimit_resource_t of) {
  rlimit found{};
  return ::getrlimit(of, &found) == 0 ? found.rlim_cur : RLIM_INFINITY;
}

}  // namespace

void require_room_for_fonts() {
  // A configuration includes others while it is open itself.
  const file::Descriptor outer(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const file::Descriptor inner(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (inner.get() < 0 && errno == EMFILE)
    throw Failure(
        about(words("fonts"))
            .found(limit(RLIMIT_NOFILE))
            .fault("found a limit of {} open files (ulimit -n), too few to read them", limit(RLIMIT_NOFILE))
            .allowed("at least two more"));
  if (const rlim_t addresses = limit(RLIMIT_AS); addresses < least_addresses)
    throw Failure(
        about(words("fonts"))
            .found(addresses >> 20)
            .fault("found a limit of {} MiB of addresses (ulimit -v), too few to read them", addresses >> 20)
            .allowed("at least {} MiB", least_addresses >> 20));
  if (const rlim_t data = limit(RLIMIT_DATA); data < least_data)
    throw Failure(about(words("fonts"))
                      .found(data >> 20)
                      .fault("found a limit of {} MiB of data (ulimit -d), too few to read them", data >> 20)
                      .allowed("at least {} MiB", least_data >> 20));
}

}  // namespace orrery::exporter
