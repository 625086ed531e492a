"""Memory of learning one class, above the loaded corpus: ``python -m tests.benchmarks.memory [--dataset NAME] …``.

In a fresh process: the corpus is read and counted, and the kernels are loaded; then from this mark on the highest use
while the class's problem is made, a weighting is learned to its early stop, and the documents are weighted with it.
Linux only.
"""

import argparse
import json

from ltw_core.corpora import load
from ltw_core.tasks import vectorize
from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned import preload
from tests.benchmarks.measure import in_a_fresh_process, machine, peak_megabytes, resident_megabytes


def measure(dataset, class_name, variant):
    """Resident megabytes with the corpus loaded, and the most above them; steps made."""
    corpus = vectorize(load(dataset))
    preload()
    loaded, weighting = resident_megabytes(), LearnedWeighting(variant=variant)

    def work():
        task = corpus.task(class_name)
        weighting.fit(task.counts_train, task.y_train, validation=task.validation)
        weighting.transform(task.counts_test)

    above = peak_megabytes(work)
    return {"class": class_name, "variant": variant, "loaded_mb": loaded, "above_mb": above, "steps": weighting.steps_}


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.memory", description=__doc__.split("\n")[0])
    parser.add_argument("--dataset", default="20newsgroups")
    parser.add_argument("--class-name", default="misc.forsale")
    parser.add_argument("--variants", default="LTW-L-I,LTW-TF,LTW-G-I")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args(arguments)
    found = {"machine": machine(1), "dataset": options.dataset, "rows": []}
    for variant in options.variants.split(","):
        row = in_a_fresh_process(measure, options.dataset, options.class_name, variant)
        found["rows"].append(row)
        print(
            f"{options.dataset} {row['class']}, {variant}, {row['steps']} steps: at most {row['above_mb']:.0f} MB "
            f"above the {row['loaded_mb']:.0f} MB of the process with the corpus loaded",
            flush=True,
        )
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
