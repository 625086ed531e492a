"""Making the steps of a prepared block: on CUDA captured once as a graph and replayed, else launched one by one.

A graph reads from fixed places in memory, so a block is copied there. Where capturing fails the steps go on plainly and
a sentence says so. Leaves out what a step is.
"""

import logging

import torch

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

    Attributes
    ----------
    messages : list of str
        What happened, as sentences.
    held : list of tensors or None
        The places that a graph reads from.
    """

    def __init__(self, device, graphs):
        self._device, self.graphs = device, graphs
        self.messages, self.held, self._graph = [], None, None

    def run(self, step, block, room):
        """Make all steps of a block.

        Parameters
        ----------
        step : callable
            Takes the tensors of one step, as a tuple, and reads nothing back; the same one at every call.
        block : tuple of tensors, shape (steps, …)
        room : int
            Steps that there shall be places for.
        """
        steps = len(block[0])
        done = 0
        if self.graphs:
            self._take(block, steps, room)
            if self._graph is None and steps > WARMING_STEPS:
                for _ in range(WARMING_STEPS):
                    self.one(step)
                done = WARMING_STEPS
                self._try_capture(step)
            if self._graph is not None:
                for _ in range(done, steps):
                    self._graph.replay()
                return
        for at in range(done, steps):
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
        step(tuple(part.index_select(0, self.at)[0] for part in self.held))
        self.at += 1

    def _try_capture(self, step):
        try:
            self._graph = self.capture(step)
        except torch.OutOfMemoryError:
            raise
        except RuntimeError as error:
            self.graphs = False
            self.messages.append("CUDA graphs do not work here; every step is launched operator by operator.")
            _log.warning("no CUDA graph: %s", error)

    def capture(self, step):
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.one(step)
        return graph
