"""A device whose memory two processes share, on a CPU: each writes what it has taken into a file, and where both
together want more than there is, there is none. Run as a program it is the study; the test of it is the server.

python -m tests.weighting.learned.engines.lockstep.shared_device FILE BYTES PLANNED
"""

import json
import sys
import time

import numpy as np
import torch

from ltw_core.weighting.learned.engines.lockstep import device, places
from ltw_core.weighting.learned.engines.lockstep.lockstep import Lockstep
from tests.weighting.learned.engines.lockstep.lockstep_cases import Allocator, settings_of, three_problems

SERVER, STUDY, STUDY_TRAINS, SERVER_ENDED = range(4)  # of the file's numbers: bytes of each, and whether


class SharedMemory(Allocator):
    """This process's part of the memory of a device."""

    def __init__(self, file, who, total):
        super().__init__()
        self.numbers, self.who, self.total = np.memmap(file, np.int64, "r+", shape=4), who, total

    def free_now(self):
        return int(self.total - self.numbers[[SERVER, STUDY]].sum())

    def __torch_dispatch__(self, *call):
        self.limit = self.total - self.numbers[STUDY if self.who == SERVER else SERVER]
        try:
            return super().__torch_dispatch__(*call)
        finally:
            self.numbers[self.who] = self.used

    def free(self, *tensor):
        super().free(*tensor)
        self.numbers[self.who] = self.used

    def wait_for(self, what):
        until = time.monotonic() + 120
        while not self.numbers[what]:
            if time.monotonic() > until:
                raise TimeoutError(f"the other process did not say {what}")
            time.sleep(0.01)


def trained(memory, patch, on_event=None, planned=None):
    """Three classes in lockstep; what memory is planned for is what the device has free now, or `planned`. Returns the
    lockstep and its trainings."""
    patch(torch.cuda, "mem_get_info", lambda _: (memory.free_now(), memory.total))
    patch(torch.cuda, "memory_reserved", lambda _: memory.used)
    plan = lambda _, most: planned or device.memory_to_plan_for(torch.device("cuda:0"), most)  # noqa: E731
    patch(places, "memory_to_plan_for", plan)
    with memory:
        problems, settings = three_problems(), settings_of("LTW-L-I", hidden=1000, max_steps=40)
        loop = Lockstep(problems, settings, torch.device("cpu"), None, on_event, None, None)
        results = loop.run()
    device._promised.clear()  # ``working_on`` does that on a GPU
    return loop, results


def main(file, total, planned):
    memory = SharedMemory(file, STUDY, int(total))

    def holding(*_):
        memory.numbers[STUDY_TRAINS] = 1
        memory.wait_for(SERVER_ENDED)

    loop, results = trained(memory, setattr, holding, int(planned))  # as on a device that it has to itself
    print(json.dumps({"notes": loop.notes, "histories": [each.history for each in results]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
