"""Times of other processes on a machine that others share: two cores for all, and whether somebody took them away.

Linux counts for every thread how long it was ready and had to wait, and for every processor how long the host gave it to
another guest. A time in which either is more than a hundredth of it is no measurement.
"""

import os
import time
from pathlib import Path

MOST = 0.01


def two_cores():
    """The first two processors that may be used, of two cores where there are two."""
    allowed = sorted(os.sched_getaffinity(0))
    core_of = {}
    for cpu in allowed:
        topology = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology")
        try:
            core = ((topology / "physical_package_id").read_text(), (topology / "core_id").read_text())
        except OSError:
            core = cpu
        core_of.setdefault(core, cpu)
    firsts = list(core_of.values())
    return set((firsts + [cpu for cpu in allowed if cpu not in firsts])[:2])


def pinned():
    """The environment in which a child's two threads stay each on a core of their own; this process is held there too."""
    os.sched_setaffinity(0, two_cores())
    return {"OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "true", "OMP_PLACES": "cores"}


def waited(pid):
    """Seconds that the threads of a process were ready and had to wait."""
    total = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((thread / "schedstat").read_text().split()[1])
        except (OSError, IndexError):  # a thread that has just ended, a kernel that does not count
            continue
    return total / 1e9


def stolen():
    """Seconds that the host gave our processors to others."""
    ours = {f"cpu{cpu}" for cpu in os.sched_getaffinity(0)}
    ticks = 0
    for line in Path("/proc/stat").read_text().splitlines():
        words = line.split()
        if words and words[0] in ours and len(words) > 8:
            ticks += int(words[8])
    return ticks / os.sysconf("SC_CLK_TCK")


class Watch:
    """with Watch(pid) as watch: …  then watch.disturbed."""

    def __init__(self, pid):
        self.pid = pid

    def __enter__(self):
        self.before = (waited(self.pid), stolen(), time.monotonic())
        return self

    def __exit__(self, *_):
        waiting, theft, clock = self.before
        lost = max(waited(self.pid) - waiting, 0) + stolen() - theft
        self.disturbed = lost > MOST * (time.monotonic() - clock)
