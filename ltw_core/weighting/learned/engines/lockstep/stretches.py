"""Where the parts of several problems lie in a flat array: one after the other, none filled up to the longest."""

import numpy as np
import torch


class Stretches:
    """B problems' parts of a flat array.

    Parameters
    ----------
    sizes : sequence of int
        Of each problem's part.
    device : torch.device
    tile : int
        Each part begins at a multiple of it. So the array also falls into tiles, each of one problem: torch's products
        of many matrices want them of one size. 1 where nothing is to be filled up at all.

    Attributes
    ----------
    starts : ndarray of int64, shape (B + 1,)
        Where each part begins; the last is the array's length, `total`.
    begins : tensor of int32, shape (B + 1,)
        The same on the device.
    of, of_tile : tensors of int64, shapes (total,) and (tiles,)
        The problem of each place, and of each tile.
    """

    def __init__(self, sizes, device, tile=1):
        self.sizes, self.tile = np.asarray(sizes, dtype=np.int64), tile
        tiles = -(-self.sizes // tile)
        self.starts = np.append(0, np.cumsum(tiles * tile))
        self.total, self.most = int(self.starts[-1]), int(self.sizes.max())
        self.begins = torch.as_tensor(self.starts.astype(np.int32), device=device)
        problems = np.arange(len(tiles))
        self.of = torch.as_tensor(np.repeat(problems, tiles * tile), device=device)
        self.of_tile = torch.as_tensor(np.repeat(problems, tiles), device=device)
        self._one_each = bool((tiles == 1).all())
        self._bounds = torch.as_tensor(np.append(0, np.cumsum(tiles)), device=device)

    def own(self, problem):
        """The places of a problem's part."""
        begin = int(self.starts[problem])
        return slice(begin, begin + int(self.sizes[problem]))

    def placed(self, parts, dtype=None):
        """The parts, arrays of shape (size, …), in one flat array; 0 where there is none."""
        parts = [np.asarray(part) for part in parts]
        flat = np.zeros((self.total, *parts[0].shape[1:]), dtype or parts[0].dtype)
        for problem, part in enumerate(parts):
            flat[self.own(problem)] = part
        return flat

    def in_tiles(self, flat):
        """(…, total) as (…, tiles, tile)."""
        return flat.unflatten(-1, (-1, self.tile))

    def spread(self, values, axis=0):
        """What each problem has (B at the axis), for each of its tiles."""
        return values if self._one_each else values.index_select(axis, self.of_tile)

    def folded(self, parts, axis=0):
        """The sum over each problem's tiles, in their order."""
        if self._one_each:
            return parts
        bounds = self._bounds if axis == 0 else self._bounds.expand(*parts.shape[:axis], -1).contiguous()
        return torch.segment_reduce(parts, "sum", offsets=bounds, axis=axis, initial=0, unsafe=True)

    def sums(self, flat):
        """The sum over each problem's places: (…, total) to (…, B)."""
        return self.folded(self.in_tiles(flat).sum(-1), flat.dim() - 1)


def tile_of(sizes, least):
    """Places of a tile for parts of these sizes: as many as the smallest has, so that parts of one size fall into one
    each; but not fewer than `least`, and not more than the largest has."""
    return max(1, min(max(min(sizes), least), max(sizes)))
