"""The baseline: Learning to Weight trained the plain way, every document a dense row, cd of every term at every step.

What the paper describes, and what a straightforward port of it to PyTorch does; not meant to be fast. It has the
engines' interface, so that the same protocol drives it. Its batches are those of the project's engines, its dropout
torch's own.
"""

import numpy as np
import torch
from torch.nn import functional as F

from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers


class DenseEngine:
    """LTW-L or LTW-G on dense rows, float32."""

    name = "dense"

    def __init__(self, problem, settings, device="cpu"):
        self.problem, self.settings, self.network, self.device = problem, settings, settings.network, device
        self.train, self.validation = self._dense(problem.train), self._dense(problem.validation)
        self.y = torch.tensor(problem.train.y, dtype=torch.float32, device=device)
        self.statistics = torch.tensor(np.c_[problem.tpr, problem.fpr], dtype=torch.float32, device=device)
        self.reset(0)

    def _dense(self, documents):
        rows = np.zeros((len(documents), self.problem.n_terms), dtype=np.float32)
        rows[np.repeat(np.arange(len(documents)), np.diff(documents.starts)), documents.terms] = documents.dd
        return torch.tensor(rows, device=self.device)

    def reset(self, attempt):
        self.step = 0
        n_terms, hidden = self.problem.n_terms, self.settings.hidden_units(self.problem.n_terms)
        self.random = RandomNumbers(self.settings.seed, attempt, len(self.y), self.settings.batch_size)
        self.generator = torch.Generator(self.device).manual_seed(1000 * self.settings.seed + attempt)
        inputs, outputs = (2, 1) if self.network.local else (2 * n_terms, n_terms)
        self.p = {
            "W1": self._weight(inputs, hidden), "b1": self._bias(hidden),
            "W2": self._weight(hidden, outputs), "b2": self._bias(outputs),
            "W3": self._weight(n_terms, 1), "b3": self._bias(1),
        }  # fmt: skip
        self.adam = torch.optim.Adam(self.p.values(), lr=self.settings.learning_rate)

    def _weight(self, *shape):
        drawn = torch.randn(*shape, generator=self.generator, device=self.device) / shape[-1] ** 0.5
        return torch.nn.Parameter(drawn)

    def _bias(self, size):
        return torch.nn.Parameter(torch.zeros(size, device=self.device))

    def _cd(self, dropout):
        p = self.p
        points = self.statistics if self.network.local else self.statistics.T.reshape(1, -1)
        hidden = F.dropout(torch.relu(points @ p["W1"] + p["b1"]), dropout, training=dropout > 0)
        out = (hidden @ p["W2"] + p["b2"]).reshape(-1)
        return torch.sigmoid(out) if self.network.sigmoid else out

    def _logits(self, rows, cd):
        return (F.normalize(rows * cd, dim=1) @ self.p["W3"] + self.p["b3"]).squeeze(1)

    def advance(self, steps, head_only=False):
        total = 0.0
        for _ in range(steps):
            rows = torch.as_tensor(self.random.rows(self.step)[0], device=self.device)
            logits = self._logits(self.train[rows], self._cd(self.settings.dropout))
            loss = F.binary_cross_entropy_with_logits(logits, self.y[rows])
            self.adam.zero_grad()
            loss.backward()
            self.adam.step()
            total += loss.item()
            self.step += 1
        return total / steps

    @torch.no_grad()
    def validation_logits(self):
        return self._logits(self.validation, self._cd(0.0)).cpu().numpy()

    @torch.no_grad()
    def cd(self):
        return self._cd(0.0).double().cpu().numpy()

    def finite(self):
        return all(bool(torch.isfinite(value).all()) for value in self.p.values())

    def weighting_parameters(self):
        if not self.network.local:
            return {}
        found = {name: self.p[name].detach().cpu().numpy().copy() for name in ("W1", "b1", "W2", "b2")}
        return found | {"W2": found["W2"][:, 0]}
