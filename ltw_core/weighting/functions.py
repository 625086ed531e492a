"""The one table of document- and collection-dependent functions: what computes them and what to say about them.

``CD`` and ``DD`` map the names used everywhere (parameters, URLs, tables) to a ``Function``; ``lookup`` reads them and
other texts that stand for a function. The computations are in ``cd`` and ``dd``; their combinations into weightings in
``methods``.
"""

from ltw_core.weighting import cd, dd
from ltw_core.weighting.function import Function

_PAPER = "Moreo, Esuli and Sebastiani, Learning to Weight for Text Classification"


def _table(*functions: Function) -> dict[str, Function]:
    return {function.name: function for function in functions}


CD: dict[str, Function] = _table(
    Function(
        "1",
        cd.constant,
        "1",
        "1",
        r"1",
        "The constant factor of Binary, TF and LogTF.",
        "All terms weigh the same: only the document decides.",
    ),
    Function(
        "IDF",
        cd.idf,
        "IDF",
        "ln(N / nₜ)",
        r"\ln\frac{N}{n_t}",
        f"{_PAPER}, Equation 1; Sparck Jones (1972).",
        "It looks at rarity alone, so a term typical of the class and one typical of the rest weigh the same.",
    ),
    Function(
        "BM25",
        cd.bm25_idf,
        "IDF (BM25)",
        "max(0, ln((N − nₜ + ½) / (nₜ + ½)))",
        r"\max\left(0,\ \ln\frac{N-n_t+\frac12}{n_t+\frac12}\right)",
        f"{_PAPER}, Equation 2; Robertson and Zaragoza (2009).",
        "Clipped at 0: terms in more than half of the documents would otherwise get a negative weight.",
    ),
    Function(
        "CHI2",
        cd.chi_square,
        "χ²",
        "N · p(1−p) · (tpr − fpr)² / (Pr(t) · Pr(t̄))",
        r"\frac{N\,p(1-p)\,(tpr-fpr)^2}{\Pr(t)\,\Pr(\bar t)}",
        f"{_PAPER}, Equation 4.",
        "Negative correlation counts as much as positive, and the surface changes with the prevalence.",
        supervised=True,
    ),
    Function(
        "IG",
        cd.information_gain,
        "IG",
        "Σ Pr(t′,c′) · log₂(Pr(t′,c′) / (Pr(t′) · Pr(c′)))",
        r"\sum_{t'\in\{t,\bar t\}}\sum_{c'\in\{c,\bar c\}}\Pr(t',c')\log_2\frac{\Pr(t',c')}{\Pr(t')\Pr(c')}",
        f"{_PAPER}, Equation 5.",
        "For one class IG is GR times a constant, so after L2 normalisation both give the same vectors.",
        supervised=True,
    ),
    Function(
        "GR",
        cd.gain_ratio,
        "GR",
        "IG / H(c),  H(c) = −p log₂ p − (1−p) log₂(1−p)",
        r"\frac{IG}{-p\log_2 p-(1-p)\log_2(1-p)}",
        f"{_PAPER}, Equation 6.",
        "GR ∝ IG for one class: after L2 normalisation both give the same vectors.",
        supervised=True,
    ),
    Function(
        "RF",
        cd.relevance_frequency,
        "RF",
        "log₂(2 + TP / max(1, FP))",
        r"\log_2\left(2+\frac{TP}{\max(1,\,FP)}\right)",
        f"{_PAPER}, Equation 7; Lan et al. (2009).",
        "It never falls under 1, so terms that speak against the class weigh as much as terms that say nothing.",
        supervised=True,
    ),
    Function(
        "ConfWeight",
        cd.conf_weight,
        "ConfWeight",
        "log₂(2·MinPos / (MinPos + MaxNeg)) if MinPos > MaxNeg, else 0",
        r"\log_2\frac{2\,\mathit{MinPos}}{\mathit{MinPos}+\mathit{MaxNeg}}"
        r"\ \text{ if }\mathit{MinPos}>\mathit{MaxNeg},\text{ else }0",
        "Soucy and Mineau (2005), Beyond TFIDF weighting.",
        "It cancels every term that is not surely more frequent in the class: with few positives that is most terms.",
        supervised=True,
        floor=1e-20,
    ),
    Function(
        "GSS",
        cd.gss,
        "GSS",
        "Pr(t,c)·Pr(t̄,c̄) − Pr(t̄,c)·Pr(t,c̄) = p(1−p)(tpr − fpr)",
        r"\Pr(t,c)\Pr(\bar t,\bar c)-\Pr(\bar t,c)\Pr(t,\bar c)=p(1-p)(tpr-fpr)",
        "Galavotti, Sebastiani and Simi (2000).",
        "A plane: rare terms weigh little however clearly they point, and terms that speak against the class are "
        "negative.",
        signed=True,
        supervised=True,
    ),
    Function(
        "OR",
        cd.log_odds_ratio,
        "ln OR",
        "ln((N·tpr + 1)(N(1−fpr) + 1) / ((N·fpr + 1)(N(1−tpr) + 1)))",
        r"\ln\frac{(N\,tpr+1)\,(N(1-fpr)+1)}{(N\,fpr+1)\,(N(1-tpr)+1)}",
        "Mladenić and Grobelnik (1999); the smoothing is this project's.",
        "The logarithm of the odds ratio, smoothed to stay finite; it is the same at every prevalence.",
        signed=True,
        supervised=True,
    ),
    Function(
        "PMI",
        cd.pointwise_mutual_information,
        "PMI",
        "log₂((N·tpr + 1) / (N·Pr(t) + 1))",
        r"\log_2\frac{N\,tpr+1}{N\Pr(t)+1}",
        "Church and Hanks (1990); the smoothing is this project's.",
        "It favours rare terms: one that appears once, in the class, outweighs nearly all others.",
        signed=True,
        supervised=True,
    ),
)

DD: dict[str, Function] = _table(
    Function(
        "raw",
        dd.raw,
        "f",
        "f",
        r"f_{td}",
        f"{_PAPER}, Equation 8.",
        "The tenth occurrence counts as much as the first.",
    ),
    Function(
        "1+log",
        dd.one_plus_log,
        "1 + ln f",
        "1 + ln f",
        r"1+\ln f_{td}",
        f"{_PAPER}, Equation 9.",
        "A document and two copies of it joined do not get the same vector, although they say the same.",
    ),
    Function(
        "log1p",
        dd.log1p,
        "ln(1 + f)",
        "ln(1 + f)",
        r"\ln(1+f_{td})",
        f"{_PAPER}, Equation 10.",
        "Like 1 + ln f, but the second occurrence adds more in proportion.",
    ),
    Function(
        "binary",
        dd.binary,
        "f > 0",
        "1 if f > 0, else 0",
        r"[f_{td}>0]",
        f"{_PAPER}, section “Baseline Methods”.",
        "Only whether the document holds the term counts.",
    ),
    Function(
        "bm25",
        dd.bm25,
        "BM25 tf",
        "(k₁+1)·f / (k₁·((1−b) + b·dl/avdl) + f)",
        r"\frac{(k_1+1)\,f_{td}}{k_1\left((1-b)+b\,\frac{dl}{avdl}\right)+f_{td}}",
        f"{_PAPER}, Equation 2; Robertson and Zaragoza (2009).",
        "It never exceeds k₁ + 1, and long documents need more occurrences for the same value.",
    ),
    Function(
        "log(1+f/dl)",
        dd.log_relative,
        "ln(1 + f/dl)",
        "ln(1 + f/dl)",
        r"\ln\left(1+\frac{f_{td}}{dl}\right)",
        f"{_PAPER}, Equation 15.",
        "The factor of Learning to Weight: nearly linear in f/dl, so document length cancels.",
    ),
)
