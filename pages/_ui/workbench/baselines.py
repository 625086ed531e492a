"""What a learned weighting is measured by: a linear SVM on it and on four weightings, on the same documents.

Found in the background, once for a class and all readers, when nobody waits for it.
"""

from typing import Any

from ltw_core.evaluation import Result
from ltw_core.service.job import Job
from ltw_core.weighting import make
from pages._ui.weightings import quick_f1

# what they are called, and the weighting behind each
BY = {"χ²": "TFCHI", "RF": "TFRF", "LogTFIDF": "LogTFIDF", "LogTF": "LogTF"}


def known(task: Any) -> dict[str, Result]:
    """What has been found for a class, by name."""
    return quick_f1.computed(task, {name: make(weighting) for name, weighting in BY.items()})


def known_of(task: Any, weighting: Any) -> Result | None:
    """The same of a learned weighting."""
    return quick_f1.computed(task, {"": weighting}).get("")


def failed(task: Any, weighting: Any) -> str:
    """Why that of a learned weighting, or else of a formula, could not be found; "" where nothing has failed."""
    return next(iter(quick_f1.failed(task, _all(weighting)).values()), "")


def under_way(task: Any, weighting: Any) -> bool:
    """Whether any of them is being found."""
    return quick_f1.under_way(task, _all(weighting))


def ask(task: Any, weighting: Any = None) -> Job | None:
    """Find them, and that of a learned weighting; the job, if there is anything left to do."""
    return quick_f1.ask(task, _all(weighting), for_all=True)


def _all(weighting: Any) -> dict[str, Any]:
    own = {} if weighting is None else {"": weighting}
    return own | {name: make(each) for name, each in BY.items()}
