"""``python -m ltw_core.studies curve``: a learning curve as CSV, and what it says."""

import csv
import sys
from collections.abc import Callable

from ltw_core.corpora.catalogue import load_named
from ltw_core.corpora.tables.source import TableSource
from ltw_core.evaluation import GRIDS
from ltw_core.evaluation.curve_findings import findings
from ltw_core.evaluation.curve_plan import parse_sizes, plan_curve
from ltw_core.evaluation.curve_rows import every_draw
from ltw_core.evaluation.learning_curve import blank_curve
from ltw_core.studies import option_flags
from ltw_core.studies import plan as planning
from ltw_core.studies.curve_cells import cells_of_curve, fill
from ltw_core.studies.dataset_options import add_dataset, one_dataset
from ltw_core.studies.runner import run
from ltw_core.studies.shared_cells import lookup_for
from ltw_core.studies.store import Store
from ltw_core.tasks import vectorize


def add_arguments(command) -> None:
    """What the command takes."""
    add_dataset(command, several=False)
    command.add_argument("--classes", default="all", metavar="A,B", help="one, or several for their macro F1 (all)")
    option_flags.add_weightings(command, "TFIDF,TFRF,LTW-L-I", "names (default: TFIDF,TFRF,LTW-L-I)")
    command.add_argument("--learner", default="SVM", metavar="NAME")
    command.add_argument("--sizes", metavar="50,100,…", help="labelled documents (default: doubling, up to all)")
    command.add_argument("--draws", type=int, default=5, metavar="N", help="random orders of labelling")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of the first draw")
    command.add_argument("--grid", default="quick", choices=GRIDS)
    option_flags.add_arguments(command)
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes")


def curve(options, on_progress: Callable | None = None) -> int:
    """Compute what is not known yet and write every figure as CSV to the standard output; returns the exit status."""
    source = one_dataset(options)
    own = isinstance(source, TableSource)
    corpus = source.load() if own else load_named(source)
    vectorized = vectorize(corpus, **{"stop_words": corpus.language} | option_flags.chosen(options))
    plan = plan_curve(
        vectorized,
        planning.pick(f"class of {corpus.name}", options.classes, corpus.class_names),
        planning.names_of(option_flags.weightings(options)),
        options.learner,
        parse_sizes(options.sizes),
        options.draws,
        options.seed,
        options.grid,
        option_flags.ratio(options),
    )
    made = blank_curve(vectorized, plan)
    cells = cells_of_curve(vectorized, plan, made.points(), source if own else None)
    with Store(options.store) as store:
        end = run(
            list(cells.values()),
            store,
            workers=options.workers,
            on_progress=on_progress,
            computed_before=lookup_for(options.store),
        )
        records = store.find(cell.key for cell in cells.values())
    fill(made, {point: cell.key for point, cell in cells.items()}, records)
    results = {point: records[cell.key] for point, cell in cells.items() if cell.key in records}
    rows = list(every_draw(made, results))
    writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else ["F1"])
    writer.writeheader()
    writer.writerows(rows)
    sys.stderr.write("".join(f"{sentence}\n" for sentence in findings(made)))
    if end.failed:
        sys.stderr.write(f"{end.failed} figures failed; `status --store {options.store}` says why.\n")
    return 1 if end.failed else 0
