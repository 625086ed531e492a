"""All classes at once: accuracy, macro and micro F1 of weightings, policies and learners, and how long it takes.

    python -m tests.benchmarks.multiclass                                  # R8, the comparison of the published figures
    python -m tests.benchmarks.multiclass --dataset 20newsgroups --learners SVM,MNB --weightings TFRF,TFIGM

R8 are the documents of Reuters-21578 (ModApté) with exactly one topic, of the eight largest classes among them that
have documents in both parts: 5,485 training and 2,190 test documents (as distributed 2,189: one has a second topic,
which no training document has, and which our reader therefore drops).
"""

import argparse

import numpy as np

from ltw_core.corpora import load
from ltw_core.corpora.corpus import assemble
from ltw_core.evaluation import evaluate_multiclass
from ltw_core.tasks import vectorize

R8_CLASSES = ("acq", "crude", "earn", "grain", "interest", "money-fx", "ship", "trade")
R8_SIZES = (5_485, 2_189)


def r8(reuters):
    """R8 of a corpus of Reuters-21578."""
    labels = reuters.labels.tocsr()
    columns = [reuters.class_names.index(name) for name in R8_CLASSES]
    one = np.diff(labels.indptr) == 1
    rows = np.flatnonzero(one & (np.asarray(labels[:, columns].sum(axis=1)).ravel() == 1))
    return assemble(
        name="r8",
        title="R8",
        documents=[reuters.documents[int(row)] for row in rows],
        label_sets=[{reuters.class_names[labels.indices[labels.indptr[row]]]} for row in rows],
        train=reuters.train[rows],
        origin=reuters.origin,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dataset", default="r8")
    parser.add_argument("--weightings", default="TFRF,LogTFIDF,TFCHI,TFIGM,RTFIGM,LogTF-BDC,LogTF-DFS,LogTF-ICF,BNS")
    parser.add_argument("--policies", default="max,mean,weighted,local")
    parser.add_argument("--learners", default="SVM")
    parser.add_argument("--grid", default="quick")
    parser.add_argument("--ratio", type=float, default=None)
    options = parser.parse_args()
    corpus = r8(load("reuters21578")) if options.dataset == "r8" else load(options.dataset)
    task = vectorize(corpus, stop_words=corpus.language).multiclass_task(options.ratio)
    print(task)
    for weighting in options.weightings.split(","):
        done = set()
        for policy in options.policies.split(","):
            for learner in options.learners.split(","):
                if ("", learner) in done:  # it needs no policy
                    continue
                result = evaluate_multiclass(task, weighting, learner, options.grid, policy=policy)
                done.add((result.policy, learner))
                print(
                    f"{weighting:12s} {result.policy:8s} {learner:4s} accuracy {result.accuracy:.3f}  macro F1 "
                    f"{result.macro_f1:.3f}  micro F1 {result.micro_f1:.3f}  {result.seconds:6.1f} s  "
                    f"{result.parameters}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
