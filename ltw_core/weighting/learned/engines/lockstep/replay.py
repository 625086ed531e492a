"""Making the steps of a prepared block: on CUDA captured once as a graph and replayed, else launched one by one.

A graph reads from fixed places in memory, so a block is copied there. Where capturing fails, or captures nothing, the
steps go on plainly and a sentence says so. Leaves out what a step is.
"""

import logging

import torch

from ltw_core.weighting.learned.engines.lockstep.device import CAPTURING, is_out_of_memory, to_host

WARMING_STEPS = 3  # before a graph is captured

_log = logging.getLogger(__name__)


class Replay:
    """Runs a step for every part of a block. Holds no reference to what the step belongs to: a cycle would keep its
    tensors until Python's collector comes.

    Parameters
    ----------
    device : torch.device
    graphs : bool
        Whether to try CUDA graphs.
    whole : bool
        Whether a step is given the places of the whole block, and `at`, which it counts on itself; else the tensors of
        the one step.

    Attributes
    ----------
    messages : list of str
        What happened, as sentences.
    held : list of tensors or None
        The places that a graph reads from.
    """

    def __init__(self, device, graphs, whole=False):
        self._device, self.graphs, self._whole = device, graphs, whole
        self.messages, self.held, self._graph = [], None, None

    def run(self, step, block, room):
        """Make all steps of a block.

        Parameters
        ----------
        step : callable
            Takes a tuple of tensors and reads nothing back; the same one at every call.
        block : tuple of tensors, shape (steps, …)
        room : int
            Steps that there shall be places for.
        """
        steps = len(block[0])
        done = 0
        if self.graphs or self._whole:
            self._take(block, steps, room)
        if self.graphs:
            if self._graph is None and steps > WARMING_STEPS:
                for _ in range(WARMING_STEPS):
                    self.one(step)
                self._try_capture(step)
                done = self._made()
            if self._graph is not None:
                for _ in range(done, steps):
                    self._graph.replay()
                return
        for at in range(done, steps):
            if self._whole:
                self.one(step)
            else:
                step(tuple(part[at] for part in block))

    def forget(self):
        """Let go of the graph and its places: what the step works on has moved."""
        self.held, self._graph = None, None

    def _take(self, block, steps, room):
        """Copy a block to where graphs read, in new places if it does not fit into the old ones."""
        fits = self.held is not None and all(
            held.shape[0] >= room and held.shape[1:] == part.shape[1:]
            for held, part in zip(self.held, block, strict=True)
        )
        if not fits:
            room = max(room, 0 if self.held is None else len(self.held[0]))
            self._graph = None
            self.held = [part.new_zeros(room, *part.shape[1:]) for part in block]
            self.at = torch.zeros(1, dtype=torch.int64, device=self._device)
        for held, new in zip(self.held, block, strict=True):
            held[:steps] = new
        self.at.zero_()

    def one(self, step):
        """The step that a graph holds: that of the place ``at``, which goes on by one."""
        if self._whole:
            step((*self.held, self.at))
            return
        step(tuple(part.index_select(0, self.at)[0] for part in self.held))
        self.at += 1

    def _made(self):
        return int(to_host(self.at)[0][0])

    def _try_capture(self, step):
        """Capture the step; makes one step more with the graph, by which one sees that there is something in it."""
        try:
            graph = self.capture(step)
            before = self._made()
            graph.replay()
            if self._made() != before + 1:
                raise RuntimeError("the graph is empty")
            self._graph = graph
        except RuntimeError as error:
            if is_out_of_memory(error):
                raise
            self.graphs = False
            self.messages.append("CUDA graphs do not work here; every step is launched operator by operator.")
            _log.warning("no CUDA graph: %s", error)

    def capture(self, step):
        graph = torch.cuda.CUDAGraph()
        # On this thread's own device and stream (``device.working_on``); torch's default stream for it is one for all
        # threads, of whichever device came first. What other threads do meanwhile shall not end it
        stream = torch.cuda.current_stream(self._device)
        with CAPTURING, torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
            self.one(step)
        return graph
