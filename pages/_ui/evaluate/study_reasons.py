"""Where our figures lie more than .02 from the paper's, and why: a list from the figures, reasons written by hand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from ltw_core.figures.theme import display
from ltw_core.studies.comparison import FAR, OURS, Beside, Place
from ltw_core.studies.tables import family_of
from pages._ui import words
from pages._ui.downloads import offer_table
from pages._ui.evaluate.study_tables import short

PAPER_SD = 0.018  # the largest standard deviation over seeds that the paper reports, of macro F1


@dataclass(frozen=True)
class Reason:
    """Why some places differ.

    Attributes
    ----------
    title : str
    known : str
        How it is known: "by construction", "measured", "likely, not measured by itself" or "not explained".
    applies : callable
        Takes a place and the grid of ours; several reasons may apply to a place.
    text : str
    """

    title: str
    known: str
    applies: Callable[[Place, str], bool]
    text: str


REASONS = (
    Reason(
        "Other documents",
        "by construction",
        lambda p, grid: not p.comparable,
        "`ohsumed_single_23` holds 3,357 training documents of one class each. The paper's collection has seven times"
        " as many, with several classes each, so that its classes have far more documents to learn from.",
    ),
    Reason(
        "The quick grid of random forests",
        "measured",
        lambda p, grid: p.learner == "RF" and grid == "quick",
        "The quick grid has forests of 10 and 25 trees that look at √F terms a split, about 53 of Reuters' 2,876; the"
        " paper's also has 1,000 terms and 100 trees. A rare class is missed by √F terms. Tried on the Reuters "
        "classes cpi, jobs, cocoa and gold with TFRF, F1 rose from .13, .50, .00 and .37 to .55, .63, 1.00 and .68 "
        "with 1,000 terms a split (Gini only). The authors' published code tunes class weights as well, which the "
        "paper does not mention: on these four that changed cpi alone, to .51.",
    ),
    Reason(
        "BM25 at unit length",
        "measured",
        lambda p, grid: p.comparable and p.weighting == "BM25",
        "The paper does not say that BM25 vectors are normalised, and ours are not; the authors' published code "
        "brings them to unit length. Tried on all 115 Reuters classes with naive Bayes (quick grid): macro F1 .319 as"
        " it is, .467 at unit length, the paper has .462; micro F1 .528 and .778, the paper has .769. With the SVM, "
        "on 28 classes, micro F1 rose from .766 to .789; with logistic regression macro F1 fell from .586 to .545.",
    ),
    Reason(
        "The quick grid",
        "likely, not measured by itself",
        lambda p, grid: p.comparable and p.learner in ("SVM", "LR", "KNN") and grid == "quick",
        "Quick grids have a few of the paper's settings: C from 100 (SVM) and 1,000 (LR) down with one loss, for "
        "nearest neighbours all terms or the 100 best, no principal components. Of Reuters' 115 classes 49 have at "
        "most five training documents; their validation part ties, the first setting wins, and it is not the paper's "
        "(C = 10⁴). How ties are broken is worth .05 of macro F1, as walking the full grid the other way showed. The "
        "full grid is there for the SVM on Reuters. The authors' code also weighs neighbours by distance.",
    ),
    Reason(
        "Ties under naive Bayes",
        "measured",
        lambda p, grid: (
            p.corpus == "reuters21578"
            and p.difference < 0
            and p.learner == "MNB"
            and p.weighting in ("Binary", "TF", "ConfWeight", "BM25", "TFCHI")
        ),
        "With all six α instead of the quick grid's, macro F1 on Reuters rises from .359 to .376 (Binary), .389 to "
        ".430 (TF), .421 to .458 (ConfWeight), .319 to .429 (BM25) and .493 to .503 (TFCHI). What is left hangs on "
        "ties: in classes of a few documents several α have the same validation F1. Ours is the largest of them; with "
        "the smallest Binary has .451 and TF .452, with the one that turns out best .480 and .493. The paper has .489 "
        "and .490. Which α it takes is not said.",
    ),
    Reason(
        "Negative weights under naive Bayes",
        "measured",
        lambda p, grid: p.learner == "MNB" and p.weighting in ("LTW-L-I", "LTW-G-I"),
        "Naive Bayes takes no negative weights, and in the I variants weights may have either sign: by the authors' "
        "rule the sign is turned if most are negative, and the rest dropped. In LTW-G-I each term's sign is free, and"
        " 48 % of the training weights are dropped on average; in LTW-L-I 10 %. What is left depends on chance. The "
        "rule counts entries and knows no class: in LTW-L-I on Ohsumed's class C08 (seed 0) most weights are positive, "
        "but they are those of terms that speak against the class. What is dropped is 81 % of the weight of the "
        "class's own documents; nothing that is left can outweigh its prior of 3.6 %, and no test document is taken "
        "with any α: F1 .000. Keeping the other sign instead it is .07 at best. The SVM, which takes both signs, "
        "reaches .44 on the same vectors, logistic regression .48.",
    ),
    Reason(
        "A σ that saturates",
        "measured",
        lambda p, grid: p.comparable and p.weighting == "LTW-L-sigma" and p.difference < 0,
        "With some seeds training drives the σ of all terms of a class towards 1 (or 0), where its gradient vanishes:"
        " the weighting then is that of LogTF. On the Reuters class gold this befell four of five seeds of LTW-L-σ "
        "(validation F1 .48 to .50, the fifth .64; LTW-L-I reaches .94); on gas the seeds' validation F1 runs from "
        ".07 to .83, on bop from .13 to .70, on sugar from .57 to .89. A plain dense port of the paper's network does "
        "so too: one of two seeds on gold, with validation F1 .50 and test F1 .36. A few such classes cost macro F1 "
        "much and micro F1 little. Whether the authors' training did the same is not known; its standard deviations "
        "over seeds are small.",
    ),
    Reason(
        "One seed",
        "likely, not measured by itself",
        lambda p, grid: (
            p.comparable
            and family_of(p.weighting) == "LTW"
            and p.figure.seeds == 1
            and abs(p.difference) <= 2 * PAPER_SD
        ),
        "The paper's figures of learned weightings are means over ten seeds, whose macro F1 has standard deviations of "
        "up to .018. One seed of ours lies within twice that.",
    ),
    Reason(
        "χ² with the SVM",
        "not explained",
        lambda p, grid: p.comparable and p.weighting == "TFCHI" and p.learner in ("SVM", "LR"),
        "Not explained yet. With naive Bayes the same vectors give macro F1 .503 (the paper .514) and micro F1 .800 "
        "(.798) on Reuters, so the weighting is the paper's and the difference arises in classifiers that are tuned "
        "on few documents. Weighting before selecting terms, as the authors' code does, makes it .01 lower, not "
        "higher. Their χ² is ours divided by N, which the normalisation takes out. They drop documents that are left "
        "without terms: on 29 classes of at most 12 training documents (SVM, full grid) that changed no figure. Of the"
        " 25 classes without test documents the SVM (quick grid) takes a wrong document in 4, under TFRF in 1, which "
        "is .026 of macro F1; the rest lies in classes that have some. Nor is it how ties are broken or where "
        "liblinear stops: on 12 of the classes with at most five training documents, C of 10,000, 100 and 1 with either"
        " loss gave mean F1s of .375 to .423 (.405 for the one that ties take), and 20 times the iterations .401.",
    ),
    Reason(
        "A document in a class without any",
        "likely, not measured by itself",
        lambda p, grid: p.comparable and p.learner == "SVM" and grid == "full" and p.weighting in ("TF", "TFGR"),
        "Of Reuters' 115 classes 25 have no test document: F1 is 1 there, and 0 as soon as one document is taken: that "
        "costs .0087 of macro F1. TF and TFGR each take one in 3 of them, .026 together and more than the difference; "
        "LogTF, LogTFIDF and TFRF take one in 1, BM25 in none. Such a document lies at the edge, and whether the "
        "paper's vectors took it is not known. The 21 classes with one or two test documents swing as much: together "
        "they give TF 3.3 of 21, TFGR 1.2.",
    ),
    Reason(
        "Terms selected before they are weighted",
        "measured",
        lambda p, grid: p.comparable and p.weighting in ("LogTF", "TFIDF", "LogTFIDF"),
        "Here terms are selected on counts and vectors normalised over what is left; the authors' code weights and "
        "normalises over the whole vocabulary, with a smoothed idf, and selects then. LogTFIDF with the SVM and the "
        "full grid on Reuters: micro F1 .865 and macro F1 .570 here, .847 and .544 their way, .849 and .576 in the "
        "paper.",
    ),
)


def show(shown: Beside, titles: Mapping[str, str], grid: str, full: Beside | None = None) -> None:
    """The reasons with how many places each explains, then the places; ``full``: ours with the full grid."""
    far = shown.far()
    both = shown.both()
    if not both:
        st.info("There is no figure of ours to set beside the paper's yet.", icon=":material/hourglass_empty:")
        return
    parts = []
    for comparable, where in ((True, ""), (False, ", of other documents")):
        of = [p for p in both if p.comparable == comparable]
        if of:
            parts.append(
                f"**{sum(p in far for p in of)} of {len(of)}** places lie more than .02 from the paper's{where}"
            )
    st.markdown("; ".join(parts) + ".")
    unexplained = [p for p in far if not any(reason.applies(p, grid) for reason in REASONS)]
    for reason in REASONS:
        of = [p for p in far if reason.applies(p, grid)]
        if of:
            mean = sum(p.difference for p in of) / len(of)
            with st.container(border=True):
                st.markdown(
                    f"**{reason.title}** · {words.count(len(of), 'place')}, ours on average {short(mean, signed=True)}"
                    f" · *{reason.known}*"
                )
                st.markdown(reason.text)
    if unexplained:
        st.markdown(f"**No reason found** for {words.count(len(unexplained), 'place')}.")
    frame = pd.DataFrame(
        [
            {
                "corpus": titles.get(p.corpus, p.corpus),
                "weighting": display(p.weighting),
                "classifier": p.learner,
                "ours": p.average.value,
                "paper": p.paper,
                "difference": p.difference,
                "full grid": full.places[key].value(OURS) if full and (key := _key(p)) in full.places else None,
                "why": "; ".join(r.title for r in REASONS if r.applies(p, grid)) or "not known",
            }
            for p in far
        ]
    )
    if not frame.empty:
        if frame["full grid"].isna().all():
            frame = frame.drop(columns="full grid")
        number = st.column_config.NumberColumn(format="%.3f")
        st.dataframe(
            frame,
            hide_index=True,
            column_config={
                "ours": number,
                "paper": number,
                "full grid": st.column_config.NumberColumn(format="%.3f", help="Ours with the paper's whole grid"),
                "difference": st.column_config.NumberColumn(format="%+.3f"),
            },
            alt=f"Places more than {FAR} from the paper's figure",
        )
        offer_table("Differences (CSV)", "differences.csv", frame, "The table above.")
    st.caption(
        "Reasons were looked for by computing some of these places in another way, and by reading the authors' "
        "published code. A place may have several."
    )


def _key(place: Place) -> tuple[str, str, str]:
    return place.weighting, place.corpus, place.learner
