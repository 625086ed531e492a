"""Results for all classes that ship with the app, so that what its page opens with is there at once.

A linear SVM on the quick grid, seed 0, without a term weight, with an ordinary formula, with two supervised ones, and
with what LTW-L-I learns of each class: the largest of a term's weights is its weight.

    python -m ltw_core.studies.all_classes --dataset 20newsgroups,reuters21578
"""

import argparse
import json
import logging
import sys
from pathlib import Path

from ltw_core.settings import results_dir
from ltw_core.studies.cell import current_versions
from ltw_core.studies.multiclass_cells import MulticlassCell, keep, shipped_in

log = logging.getLogger(__name__)
WEIGHTINGS = "LogTF", "LogTFIDF", "TFCHI", "TFRF", "LTW-L-I"
VERSIONS = "versions.json"  # under which they were computed, and are found
CORPORA = "20newsgroups", "reuters21578", "ohsumed"  # the others take but a moment


def cells(fingerprint: str) -> list[MulticlassCell]:
    """What ships of a corpus; ``fingerprint``: of its ``MulticlassTask``."""
    return [MulticlassCell(fingerprint, name, "max", "SVM", "quick") for name in WEIGHTINGS]


def main(arguments: list[str] | None = None) -> int:
    """Compute what is lacking of some corpora, and write it; returns the exit status."""
    from ltw_core.corpora import load
    from ltw_core.evaluation import evaluate_multiclass
    from ltw_core.tasks import vectorize

    parser = argparse.ArgumentParser(
        prog="python -m ltw_core.studies.all_classes", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--dataset", metavar="NAME,…", help="all that ship without it, and none of earlier versions")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="the app's own results without it")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    folder = shipped_in(options.to or results_dir())
    known: set[str] = set()
    try:
        for dataset in CORPORA if options.dataset is None else options.dataset.split(","):
            task = vectorize(load(dataset)).multiclass_task()
            for cell in cells(task.fingerprint):
                known.add(cell.path_in(folder).name)
                if cell.path_in(folder).exists():
                    continue
                result = evaluate_multiclass(task, cell.weighting, cell.learner, cell.grid, policy=cell.policy)
                keep(cell, result, folder)
                if not cell.path_in(folder).exists():
                    raise ValueError(f"{folder} cannot be written")
                log.info("%s %s: macro F1 %.4f, %.0f s", dataset, cell.weighting, result.macro_f1, result.seconds)
        for path in folder.glob("*.npz") if options.dataset is None else ():
            if path.name not in known:
                path.unlink()
        (folder / VERSIONS).write_text(json.dumps(dict(current_versions()), indent=1) + "\n", encoding="utf-8")
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
