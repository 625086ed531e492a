"""Claims of the paper's text as data (``data/results/claims.json``), and what figures say of each: a computed verdict.

A claim names a test of this module and the weightings that it is about; the figures are those of a table (``tables``),
the paper's own or ours. Leaves out why figures differ from the paper's (``reasons``).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from statistics import fmean
from typing import NamedTuple

from ltw_core.corpora import catalogue
from ltw_core.evaluation import average_ranks, decimals, p_value
from ltw_core.evaluation.learner_table import short_learner
from ltw_core.metrics import listed, signed
from ltw_core.studies import paper
from ltw_core.studies.comparison import complete
from ltw_core.studies.result_files import readable, shipped_json
from ltw_core.studies.tables import OURS, ResultTable
from ltw_core.weighting import display

FILE = "claims.json"
HOLDS, FAILS, OPEN = "holds", "does not hold", "inconclusive"
LEAST = 6  # pairs: with fewer, Wilcoxon's p cannot fall below .05
LEVEL = 0.05
PRINTED = (0.0018, 0.0082, 0.0178)  # standard deviation of macro F1 over runs: least, expected, most (section on tests)
LEFT_OUT = ("LTW-TF", "TFIG")  # shown for a single column, and the same as TFGR
Scores = Mapping[str, Mapping[tuple[str, str], float]]


class ClaimVerdict(NamedTuple):
    """What figures say of a claim: ``HOLDS``, ``FAILS`` or ``OPEN``, and why in a sentence with its numbers; the
    ⟨corpus, learner⟩ pairs that this rests on, where it is all of them at once; and, where a line of a table says why,
    its heads and numbers, and in a clause what these leave out; the weightings that it ranks; and, in a clause, what is
    significantly the other way round."""

    verdict: str
    why: str
    pairs: tuple[tuple[str, str], ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    ranked: tuple[str, ...] = ()
    reverse: str = ""


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper and how it is tested.

    Attributes
    ----------
    claim, where : str
        In short, and the place of the paper's text.
    test : str
        A key of ``TESTS``.
    names, others : tuple of str
        Weightings that it is about, and those that they are compared with (none: all others).
    corpora : tuple of str
        Of these only; none: all.
    known : str
        What is known of the paper's figures that it rests on; "" for nothing.
    """

    claim: str
    where: str
    test: str
    names: tuple[str, ...]
    others: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    known: str = ""

    @property
    def rule(self) -> str:
        """What its test demands, in a sentence or two."""
        several = len(self.names) * len(self.others) > 1 and self.test == "beats"
        one = "the first weighting" if several else listed(list(map(display, self.names)))
        end, side = ("worst", "below") if self.test == "last" else ("best", "above")
        other, level = listed(list(map(display, self.others))), decimals(LEVEL, 2)
        said = RULES[self.test].format(one=one, other=other, end=end, side=side, least=LEAST, level=level)
        return said + SEVERAL * several

    def verdict(
        self, shown: ResultTable, whose: str = OURS, pairs: Collection[tuple[str, str]] | None = None
    ) -> ClaimVerdict:
        """What a table's figures say of it.

        Parameters
        ----------
        shown : ResultTable
            Of macro F1.
        whose : {"ours", "paper"}
        pairs : collection of (str, str), optional
            ⟨Corpus, learner⟩: of these only.
        """
        if self.test == "steady":
            return _steady(self, shown, whose)
        scores = {
            name: {
                c: v
                for c, v in of.items()
                if c[1] in paper.LEARNERS and c[0] in (self.corpora or (c[0],)) and (pairs is None or c in pairs)
            }
            for name, of in shown.scores(whose).items()
            if name not in LEFT_OUT
        }
        lacking = [name for name in (*self.names, *self.others) if not scores.get(name)]
        if lacking:
            return ClaimVerdict(OPEN, f"There is no score of {_listed(lacking)} yet.")
        compared = {name: of for name, of in scores.items() if of or (whose == OURS and name in paper.weightings())}
        return TESTS[self.test](self, compared)


@lru_cache(maxsize=1)
def claims() -> list[Claim]:
    """All that the file has. Shared: not to be changed.

    Raises
    ------
    ValueError
        The file is missing or damaged.
    """
    with readable("the paper's claims"):
        entries = shipped_json(FILE)["claims"]
        found = [
            Claim(**{name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()})
            for entry in entries
        ]
        for claim in found:
            if claim.test not in (*TESTS, "steady"):
                raise ValueError(f"there is no test {claim.test!r}")
    return found


def _rank(claim: Claim, scores: Scores, last: bool) -> ClaimVerdict:
    """Whether a weighting has the best (or worst) mean rank over the pairs that all weightings share. It holds only if
    it also has that rank against each weighting that lacks some of these pairs, over those that this one has."""
    (name,) = claim.names
    wanted = max(len(of) for of in scores.values())
    pairs = complete(scores, [other for other, of in scores.items() if len(of) == wanted or other == name])
    names = [other for other, of in scores.items() if all(pair in of for pair in pairs)]
    if len(pairs) < LEAST or len(names) < 3:
        return ClaimVerdict(OPEN, f"{_count(len(pairs))}, {len(names)} weightings: too few scores yet.")
    ranks = _mean_ranks(scores, names, pairs)
    order = sorted(names, key=lambda n: -ranks[n] if last else ranks[n])
    place = order.index(name) + 1
    end = "worst" if last else "best"
    where = f"{_ordinal(place)}{end} of {len(names)} weightings over {_count(len(pairs))}"
    other_end, rank_there = display(order[place == 1]), f"{ranks[order[place == 1]]:.1f}"
    next_to = f"{other_end} has {rank_there}"
    why, others = f"Mean rank {ranks[name]:.1f}, {where}", [other for other in scores if other not in names]
    left_out = f" Not ranked, for lack of scores: {_listed(others)}." * bool(others)
    numbers = (
        ("Mean rank", f"{ranks[name]:.1f}"),
        ("Place", f"{_ordinal(place)}{end} of {len(names)}"),
        (f"{end.capitalize()} other", f"{other_end} {rank_there}"),
        ("Pairs", str(len(pairs))),
    )
    verb = "is" if len(others) == 1 else "are"
    lacking = f"{listed(list(map(display, others)))} {verb} not ranked, for lack of scores"
    rests = {"pairs": tuple(pairs), "numbers": numbers, "notes": (lacking,) * bool(others), "ranked": tuple(names)}
    if place > 1:
        return ClaimVerdict(FAILS, f"{why}; {next_to}.{left_out}", **rests)
    for other in others:
        shared = complete(scores, [*names, other])
        over = _mean_ranks(scores, [*names, other], shared) if len(shared) > 1 else {name: 0, other: 0}
        if shared and (over[other] >= over[name] if last else over[other] <= over[name]):
            beyond = f"over the {len(shared)} pairs that {display(other)} has, {display(name)} is not the {end}"
            rests["notes"] = (beyond, *rests["notes"])
            return ClaimVerdict(OPEN, f"{why}; {next_to}; but {beyond}.{left_out}", **rests)
    return ClaimVerdict(HOLDS, f"{why}; {next_to}.{left_out}", **rests)


def _mean_ranks(scores: Scores, names: Sequence[str], pairs: Sequence[tuple]) -> dict[str, float]:
    return dict(zip(names, average_ranks([[scores[n][p] for p in pairs] for n in names]).average, strict=True))


def _mean_above(claim: Claim, scores: Scores) -> ClaimVerdict:
    """Whether the mean of each of some weightings lies above that of every baseline, over the pairs that all share."""
    baselines = [name for name in scores if not name.startswith("LTW")]
    wanted = max((len(scores[name]) for name in baselines), default=0)
    baselines = [name for name in baselines if len(scores[name]) == wanted]
    pairs = complete(scores, [*baselines, *claim.names]) if baselines else []
    if len(pairs) < 2:
        return ClaimVerdict(OPEN, f"All of them share {_count(len(pairs))}: too few.")
    means = {name: fmean(scores[name][pair] for pair in pairs) for name in (*baselines, *claim.names)}
    best = max(baselines, key=means.get)
    shown = ", ".join(f"{display(name)} {decimals(means[name])}" for name in (*claim.names, best))
    above = all(means[name] > means[best] for name in claim.names)
    why = f"Means over {_count(len(pairs))}: {shown}, the best baseline."
    numbers = (
        *((display(name), decimals(means[name])) for name in claim.names),
        ("Best baseline", f"{display(best)} {decimals(means[best])}"),
        ("Pairs", str(len(pairs))),
    )
    return ClaimVerdict(HOLDS if above else FAILS, why, tuple(pairs), numbers)


def _beats(claim: Claim, scores: Scores) -> ClaimVerdict:
    """Whether each of some weightings is better than each of others by Wilcoxon's test."""
    verdicts, parts, pairs, numbers, reverse = [], [], [], (), ""
    for one in claim.names:
        for other in claim.others:
            pairs = complete(scores, [one, other])
            if len(pairs) < LEAST:
                verdicts.append(OPEN)
                parts.append(f"{display(one)} and {display(other)} share {_count(len(pairs))}")
                continue
            values = [[scores[name][pair] for pair in pairs] for name in (one, other)]
            wins, p = sum(a > b for a, b in zip(*values, strict=True)), p_value(*values)
            better = (less := fmean(values[0]) - fmean(values[1])) > 0
            verdicts.append(HOLDS if better and p < LEVEL else OPEN if better else FAILS)
            reverse = f"{display(other)} is significantly better" if not better and p < LEVEL else ""
            won = f"{display(one)} wins {wins} of {len(pairs)} against {display(other)}"
            parts.append(
                f"{won}, mean difference {signed(less)}; Wilcoxon’s test: p {_p(p)}{reverse and ', ' + reverse}"
            )
            numbers = (
                ("Mean difference", signed(less)),
                ("Wilcoxon’s p", _p(p).removeprefix("= ")),
                (f"Pairs won by {display(one)}", f"{wins} of {len(pairs)}"),
            )
    worst = next(kind for kind in (FAILS, OPEN, HOLDS) if kind in verdicts)
    told = [part for part, kind in zip(parts, verdicts, strict=True) if kind == worst]
    more = f"; the same verdict in {len(told)} of {len(parts)} comparisons" if len(parts) > 1 else ""
    if len(parts) > 1:
        return ClaimVerdict(worst, f"{told[0]}{more}.")
    return ClaimVerdict(worst, f"{told[0]}.", tuple(pairs), numbers, reverse=reverse)


def _always(claim: Claim, scores: Scores) -> ClaimVerdict:
    """Whether a weighting is above another in every pair; names up to three where it is not."""
    (one,), (other,) = claim.names, claim.others
    pairs = complete(scores, [one, other])
    lost = [pair for pair in pairs if scores[one][pair] <= scores[other][pair]]
    why = f"Above in {len(pairs) - len(lost)} of {_count(len(pairs))}"
    if lost:
        more = f" and in {len(lost) - 3} more" * (len(lost) > 3)
        named = ", ".join(f"{short_learner(learner)} on {_title(corpus)}" for corpus, learner in lost[:3])
        return ClaimVerdict(FAILS, f"{why}; not with {named}{more}.")
    return ClaimVerdict(HOLDS if len(pairs) >= LEAST else OPEN, f"{why}.")


def _mostly(claim: Claim, scores: Scores) -> ClaimVerdict:
    """Whether some weightings win more than half of all comparisons with others, by Wilcoxon's test over the pairs: the
    comparisons of one pair rest on the same documents, so a pair's share of wins counts once."""
    won: dict[tuple[str, str], list[bool]] = {}
    for one in claim.names:
        for other in claim.others:
            for pair in complete(scores, [one, other]):
                won.setdefault(pair, []).append(scores[one][pair] > scores[other][pair])
    if not won:
        return ClaimVerdict(OPEN, "No pair has scores of both sides.")
    shares, found = [fmean(wins) for wins in won.values()], [win for wins in won.values() for win in wins]
    why = f"They win {sum(found)} of {len(found)} comparisons, more than half in {sum(s > 0.5 for s in shares)} of "
    if len(won) < LEAST:
        return ClaimVerdict(OPEN, f"{why}{_count(len(won))}: too few for a test.")
    p = p_value(shares, [0.5] * len(shares))
    more = fmean(shares) > 0.5
    verdict = OPEN if p >= LEVEL else HOLDS if more else FAILS
    return ClaimVerdict(verdict, f"{why}{_count(len(won))}; Wilcoxon’s test of the shares: p {_p(p)}.")


def _steady(claim: Claim, shown: ResultTable, whose: str) -> ClaimVerdict:
    """Whether macro F1 over at least three seeds varies no more than the paper prints: on average, and at most."""
    least, expected, most = PRINTED
    if whose != OURS:
        return ClaimVerdict(
            OPEN,
            f"It prints standard deviations of macro F1 over ten runs of {decimals(least, 4)} to {decimals(most, 4)}, "
            f"with {decimals(expected, 4)} expected; whether that matters depends on what is compared.",
        )
    found = {
        (name, corpus, learner): place.average.sd
        for (name, corpus, learner), place in shown.places.items()
        if name in claim.names and place.average and place.average.sd is not None and place.averaged.seeds >= 3
    }
    if not found:
        return ClaimVerdict(OPEN, "No score of ours has three seeds.")
    (name, corpus, learner), worst = max(found.items(), key=lambda item: item[1])
    mean = fmean(found.values())
    why = (
        f"Of {len(found)} score{'s' * (len(found) != 1)} with three seeds or more, the standard deviation is "
        f"{decimals(mean, 4)} on average and at most {decimals(worst, 4)}, "
        f"{display(name)} with {learner} on {_title(corpus)}; the paper’s {decimals(expected, 4)} and "
        f"{decimals(most, 4)}"
    )
    if len(found) < LEAST:
        return ClaimVerdict(OPEN, f"{why}. These are too few for a verdict.")
    return ClaimVerdict(HOLDS if mean <= expected and worst <= most else FAILS, f"{why}.")


TESTS: dict[str, Callable[[Claim, Scores], ClaimVerdict]] = {
    "first": partial(_rank, last=False),
    "last": partial(_rank, last=True),
    "mean above": _mean_above,
    "beats": _beats,
    "always": _always,
    "mostly": _mostly,
}
BY_RANK = (
    "It holds if {one} has the {end} mean rank, over at least {least} pairs, and also ranks {side} each weighting that "
    "lacks scores, over the pairs that this one has. It is inconclusive if only the first is true. Differences between "
    "ranks are not tested for significance."
)
RULES = {  # what each demands, and "steady"
    "first": BY_RANK,
    "last": BY_RANK,
    "mean above": "It holds if each of {one} has a higher mean macro F1 than every baseline that lacks no scores, over "
    "the pairs that all of them have. The differences are not tested for significance.",
    "beats": "It holds if {one} has the higher mean macro F1 and Wilcoxon’s p is below {level}, over at least {least} "
    "pairs. If only the mean is higher, it is inconclusive; if the mean is not, it does not hold, whatever p is.",
    "always": "It holds if {one} has a higher macro F1 than {other} in every pair, of at least {least}. A single pair "
    "in which it has not is enough for it not to hold.",
    "mostly": "For each pair the share of comparisons won by {one} is computed. It holds if these shares are above one "
    "half on average and Wilcoxon’s p is below {level}, over at least {least} pairs; with such a p and a lower average "
    "it does not hold; otherwise it is inconclusive.",
    "steady": "It holds if the standard deviations of macro F1 over seeds do not exceed those that the paper prints, "
    "on average and at most, over at least {least} scores with three seeds or more. The paper’s own are not tested.",
}
SEVERAL = " Of several comparisons the worst verdict counts."


def _title(corpus: str) -> str:
    return next((entry.title for entry in catalogue() if entry.name == corpus), corpus)


def _count(pairs: int) -> str:
    return f"{pairs} pair" + "s" * (pairs != 1) + " of corpus and classifier"


def _ordinal(place: int) -> str:
    """Before "best" or "worst": nothing for the first, "2nd ", "3rd ", "11th "."""
    if place == 1:
        return ""
    ending = "th" if 10 < place % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending} "


def _p(p: float) -> str:
    return "< .001" if p < 0.001 else f"= {decimals(p)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(display, names))
