"""The reference engine: plain torch autograd, on any device, in float32 or float64.

Written to be read with the method at hand, not to be fast: cd is computed for every term of a batch, term by term, and
torch does the derivatives and Adam. Documents stay sparse. The other engines are tested against this one. LTW-G keeps
its first layer W1 (2F × H) as the paper has it, and shows it outside as ``z = inputs·W1 + b1``, all of it that
ever acts.
"""

import numpy as np
import torch

from ltw_core.weighting.learned.engines.random_numbers import ENTRIES, HIDDEN, PRETRAINING, TERMS, RandomNumbers
from ltw_core.weighting.learned.network import PRETRAIN_POINTS, initial_parameters, normal_rows, weighting_part

TINY_VARIANCE, TINY_LENGTH = 1e-24, 1e-12


class ReferenceEngine:
    """See ``engine.Engine``."""

    name, piece = "reference", 5

    def __init__(self, problem, settings, device="cpu", should_stop=None):
        self.problem, self.settings, self.network = problem, settings, settings.network
        self.device, self.should_stop = str(device), should_stop
        self.hidden = settings.hidden_units(problem.n_terms)
        self.type = getattr(torch, settings.dtype)
        self.train, self.validation = self._move(problem.train), self._move(problem.validation)
        self.statistics = self._tensor(np.column_stack(problem.inputs))
        self.reset(0)

    def _tensor(self, array, dtype=None):
        return torch.as_tensor(np.array(array), dtype=dtype or self.type, device=self.device)

    def _move(self, documents):
        return {
            "starts": self._tensor(documents.starts, torch.int64),
            "terms": self._tensor(documents.terms, torch.int64),
            "counts": self._tensor(documents.counts),
            "dd": self._tensor(documents.dd),
            "y": self._tensor(documents.y),
        }

    # ---- parameters

    def reset(self, attempt):
        self.attempt, self.step, self.pretrained = attempt, 0, 0
        settings, problem = self.settings, self.problem
        self.random = RandomNumbers(settings.seed, attempt, len(problem.train), settings.batch_size)
        generator = self.random.initial()
        parameters = initial_parameters(
            self.network, problem.inputs, self.hidden, settings.hidden_dd, generator,
            should_stop=self.should_stop,
        )  # fmt: skip
        if not self.network.local:
            del parameters["z"]
            shape = (problem.inputs.size, self.hidden)
            parameters["W1"] = normal_rows(generator, 1 / np.sqrt(self.hidden), shape, should_stop=self.should_stop)
            parameters["b1"] = np.zeros(self.hidden)
        self._set(parameters)

    def _set(self, parameters):
        self.p = {name: self._tensor(value).requires_grad_() for name, value in parameters.items()}
        self.restart_optimiser()

    def restart_optimiser(self):
        self.adam = self._adam(self.p.values(), self.settings.adam())
        self.pretrain_adam = None

    @staticmethod
    def _adam(moved, by):
        return torch.optim.Adam(moved, lr=by.rate, betas=(by.beta1, by.beta2), eps=by.epsilon)

    def parameters(self):
        found = {name: value.detach().cpu().numpy().copy() for name, value in self.p.items()}
        if not self.network.local:
            found["z"] = self._global_hidden().detach().cpu().numpy().copy()
        return found

    def weighting_parameters(self):
        return weighting_part(self.network, self.parameters())

    def load_parameters(self, parameters):
        self._set({name: parameters[name] for name in self.p})

    # ---- the network

    def _dropped(self, hidden, weights, stream, items):
        """hidden·weights, a row an item, with dropout on the hidden units."""
        q = self.settings.dropout
        if q == 0:
            return hidden @ weights
        if self.settings.dropout_form == "bernoulli" or stream == HIDDEN:
            keep = self.random.keep(stream, self.step, items, hidden.shape[1], q)
            return (hidden * self._tensor(keep) / (1 - q)) @ weights
        variance = q / (1 - q) * (hidden**2 @ weights**2)
        noise = self._tensor(self.random.normal(stream, self.step, items))
        return hidden @ weights + variance.clamp_min(TINY_VARIANCE).sqrt() * noise

    def _global_hidden(self):
        """The hidden layer of LTW-G before ReLU: the statistics of all terms, tpr first, times W1."""
        return self.statistics.T.reshape(-1) @ self.p["W1"] + self.p["b1"]

    def _cd(self, terms, training):
        p = self.p
        if self.network.local:
            hidden = torch.relu(self.statistics[terms] @ p["W1"] + p["b1"])
            if training:
                out = self._dropped(hidden, p["W2"], TERMS, terms.cpu().numpy()) + p["b2"]
            else:
                out = hidden @ p["W2"] + p["b2"]
        else:
            hidden = torch.relu(self._global_hidden())[None, :]
            if training:
                out = self._dropped(hidden, p["W2"], HIDDEN, np.zeros(1, dtype=np.int64))[0] + p["b2"]
            else:
                out = (hidden @ p["W2"])[0] + p["b2"]
            out = out[terms]
        return torch.sigmoid(out) if self.network.sigmoid else out

    def _dd(self, counts, entries, training):
        p = self.p
        hidden = torch.relu(counts[:, None] * p["W4"] + p["b4"])
        if training:
            out = self._dropped(hidden, p["W5"], ENTRIES, entries.cpu().numpy()) + p["b5"]
        else:
            out = hidden @ p["W5"] + p["b5"]
        return torch.relu(out)

    def _logits(self, documents, rows, training):
        starts, lengths = documents["starts"][rows], documents["starts"][rows + 1] - documents["starts"][rows]
        row = torch.repeat_interleave(torch.arange(len(rows), device=self.device), lengths)
        before = torch.cumsum(lengths, 0) - lengths
        entries = (starts - before)[row] + torch.arange(len(row), device=self.device)
        terms, where = torch.unique(documents["terms"][entries], return_inverse=True)
        if self.network.learned_dd:
            dd = self._dd(documents["counts"][entries], entries, training)
        else:
            dd = documents["dd"][entries]
        weight = dd * self._cd(terms, training)[where]
        zeros = torch.zeros(len(rows), dtype=self.type, device=self.device)
        length = zeros.index_add(0, row, weight**2).clamp_min(TINY_LENGTH**2).sqrt()
        return zeros.index_add(0, row, weight * self.p["W3"][terms[where]]) / length + self.p["b3"]

    # ---- steps

    def loss(self, rows):
        """Cross-entropy of a batch with this step's dropout, and its gradients in ``p[...].grad``."""
        logits = self._logits(self.train, rows, training=True)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, self.train["y"][rows])
        for value in self.p.values():
            value.grad = torch.zeros_like(value)  # Adam moves every parameter at every step, also untouched ones
        loss.backward()
        return loss

    def rows_of_step(self):
        """The training rows of this step's batch."""
        return self._tensor(self.random.rows(self.step)[0], torch.int64)

    def advance(self, steps, head_only=False):
        total = 0.0
        for _ in range(steps):
            total += self.loss(self.rows_of_step()).item()
            if head_only:
                for name, value in self.p.items():
                    if name not in ("W3", "b3"):
                        value.grad = None
            self.adam.step()
            self.step += 1
        return total / steps

    def pretrain(self, target, steps, should_stop=None):
        names = ("W1", "b1", "W2", "b2")
        single = self.settings.pretrain_form == "point"
        each = 1 if single else PRETRAIN_POINTS
        if self.pretrain_adam is None:
            moved = [self.p[name] for name in names]
            self.pretrain_adam = self._adam(moved, self.settings.adam(self.settings.pretrain_rate))
        points = self.random.points(self.pretrained, steps * each)
        wanted = self._tensor(target(points[:, 0], points[:, 1])).reshape(steps, -1)
        points = self._tensor(points).reshape(steps, each, 2)
        total = 0.0
        for x, y in zip(points, wanted, strict=True):
            if should_stop is not None and should_stop():
                return None
            hidden = torch.relu(x @ self.p["W1"] + self.p["b1"])
            if single and (q := self.settings.dropout):  # a mask a step
                keep = self.random.keep(PRETRAINING, self.pretrained, np.zeros(1, dtype=np.int64), hidden.shape[1], q)
                hidden = hidden * self._tensor(keep) / (1 - q)
            out = hidden @ self.p["W2"] + self.p["b2"]
            error = torch.mean(((torch.sigmoid(out) if self.network.sigmoid else out) - y) ** 2)
            self.pretrain_adam.zero_grad()
            error.backward()
            self.pretrain_adam.step()
            total += error.item()
            self.pretrained += 1
        return total / steps

    # ---- looking at it

    @torch.no_grad()
    def validation_logits(self):
        rows = torch.arange(len(self.problem.validation), device=self.device)
        return self._logits(self.validation, rows, training=False).cpu().numpy()

    def finite(self):
        return all(bool(torch.isfinite(value).all()) for value in self.p.values())

    @torch.no_grad()
    def cd(self):
        terms = torch.arange(self.problem.n_terms, device=self.device)
        return self._cd(terms, training=False).double().cpu().numpy()

    def state(self):
        found = {f"parameter.{name}": value.detach().cpu().numpy().copy() for name, value in self.p.items()}
        for name, value in self.p.items():
            moments = self.adam.state.get(value, {})
            for moment in ("exp_avg", "exp_avg_sq", "step"):
                if moment in moments:
                    found[f"{moment}.{name}"] = moments[moment].detach().cpu().numpy().copy()
        found["counters"] = np.array([self.attempt, self.step, self.pretrained])
        return found

    def restore_state(self, state):
        self.reset(int(state["counters"][0]))
        self._set({name: state[f"parameter.{name}"] for name in self.p})
        self.step, self.pretrained = (int(value) for value in state["counters"][1:])
        for name, value in self.p.items():
            if f"exp_avg.{name}" in state:
                self.adam.state[value] = {
                    "step": torch.tensor(float(state[f"step.{name}"])),
                    "exp_avg": self._tensor(state[f"exp_avg.{name}"]),
                    "exp_avg_sq": self._tensor(state[f"exp_avg_sq.{name}"]),
                }
