"""Functions cd in another form than the paper has them: found by name like those of ``CD``, and in no list of choices.

They are what its authors' published code computed, or had computed once; see ``ltw_core.protocol``.
"""

from dataclasses import replace
from functools import partial

from ltw_core.weighting import cd
from ltw_core.weighting.function import Function
from ltw_core.weighting.functions import CD

_CODE = "the published code of the paper's authors"

OTHER_FORMS: dict[str, Function] = {
    function.name: function
    for function in (
        Function(
            name="IDF-smoothed",
            compute=cd.idf_smoothed,
            symbol="IDF (smoothed)",
            formula="ln((1 + N) / (1 + nₜ)) + 1",
            latex=r"\ln\frac{1+N}{1+n_t}+1",
            source="scikit-learn's TfidfTransformer, which the authors' code uses.",
            note="It is never below 1, so a term of every document still counts.",
            worked=r"\ln\frac{1+<N>}{1+<df>}+1",
        ),
        replace(
            CD["ConfWeight"],
            name="ConfWeight-code",
            symbol="ConfWeight (code)",
            compute=partial(cd.conf_weight, authors=True),
            source=f"Soucy and Mineau (2005), with the half-width of {_CODE}.",
            worked="",
        ),
        Function(
            name="RF-before-2017-01-23",
            compute=cd.relevance_frequency_before_2017,
            symbol="RF, as run before 2017-01-23",
            formula="log₂(2 + Pr(t,c) / Pr(t,c̄)), with 1 for a Pr(t,c̄) of 0",
            latex=r"\log_2\left(2+\frac{\Pr(t,c)}{\Pr(t,\bar c)}\right)\text{, with }1\text{ for }\Pr(t,\bar c)=0",
            source=f"A fault of {_CODE}, corrected on 23 January 2017.",
            note="A term that occurs only in the class gets the lowest weight of all.",
            supervised=True,
        ),
    )
}
