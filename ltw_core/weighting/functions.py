"""The one table of document- and collection-dependent functions: what computes them and what to say about them.

``CD`` and ``DD`` map the names used everywhere (parameters, URLs, tables) to a ``Function``; ``lookup`` reads them and
other texts that stand for a function. The computations are in ``cd`` and ``dd``; their combinations into weightings in
``methods``. Pages, figures and tests go through these tables: a new function is a computation there and a row here.
"""

from ltw_core.weighting import caveats, cd, dd, worked_examples
from ltw_core.weighting.function import Function

_PAPER = "Moreo, Esuli and Sebastiani, Learning to Weight for Text Classification"


def _table(*functions: Function) -> dict[str, Function]:
    return {function.name: function for function in functions}


CD: dict[str, Function] = _table(
    Function(
        name="1",
        compute=cd.constant,
        formula="1",
        latex=r"1",
        source="The constant factor of Binary, TF and LogTF.",
        note="All terms weigh the same: only the document decides.",
        worked="1",
    ),
    Function(
        name="IDF",
        compute=cd.idf,
        formula="ln(N / nₜ)",
        latex=r"\ln\frac{N}{n_t}",
        source=f"{_PAPER}, Equation 1; Sparck Jones (1972).",
        note="It looks at rarity alone, so a term typical of the class and one typical of the rest weigh the same.",
        worked=r"\ln\frac{<N>}{<max(1, df)>}",
    ),
    Function(
        name="BM25",
        compute=cd.bm25_idf,
        symbol="IDF (BM25)",
        formula="max(0, ln((N − nₜ + ½) / (nₜ + ½)))",
        latex=r"\max\left(0,\ \ln\frac{N-n_t+\frac12}{n_t+\frac12}\right)",
        source=f"{_PAPER}, Equation 2; Robertson and Zaragoza (2009).",
        note="Clipped at 0: terms in more than half of the documents would otherwise get a negative weight.",
        worked=r"\max\left(0,\ \ln\frac{<N - df>+\frac12}{<df>+\frac12}\right)",
        caveat_of=caveats.clipping,
    ),
    Function(
        name="CHI2",
        compute=cd.chi_square,
        symbol="χ²",
        formula="N · Pr(c) · Pr(c̄) · (tpr − fpr)² / (Pr(t) · Pr(t̄))",
        latex=r"\frac{N\Pr(c)\Pr(\bar c)\,(tpr-fpr)^2}{\Pr(t)\,\Pr(\bar t)}",
        source=f"{_PAPER}, Equation 4.",
        note="Negative correlation counts as much as positive, and the surface changes with the prevalence.",
        worked=r"\frac{<N>\cdot<p>\cdot<1 - p>\cdot(<tpr>-<fpr>)^2}{<df / N>\cdot<(N - df) / N>}",
        caveat_of=caveats.growth,
        supervised=True,
    ),
    Function(
        name="IG",
        compute=cd.information_gain,
        formula="Σ Pr(t′,c′) · log₂(Pr(t′,c′) / (Pr(t′) · Pr(c′)))",
        latex=r"\sum_{t'\in\{t,\bar t\}}\sum_{c'\in\{c,\bar c\}}\Pr(t',c')\log_2\frac{\Pr(t',c')}{\Pr(t')\Pr(c')}",
        source=f"{_PAPER}, Equation 5.",
        note="For one class IG is GR times a constant, so after L2 normalisation both give the same vectors.",
        worked=worked_examples.information_gain,
        caveat_of=caveats.gain,
        supervised=True,
    ),
    Function(
        name="GR",
        compute=cd.gain_ratio,
        formula="IG / H(c),  H(c) = −Pr(c) log₂ Pr(c) − Pr(c̄) log₂ Pr(c̄)",
        latex=r"\frac{IG}{-\Pr(c)\log_2\Pr(c)-\Pr(\bar c)\log_2\Pr(\bar c)}",
        source=f"{_PAPER}, Equation 6.",
        note="GR ∝ IG for one class: after L2 normalisation both give the same vectors.",
        worked=worked_examples.gain_ratio,
        caveat_of=caveats.gain,
        supervised=True,
    ),
    Function(
        name="RF",
        compute=cd.relevance_frequency,
        formula="log₂(2 + TP / max(1, FP))",
        latex=r"\log_2\left(2+\frac{TP}{\max(1,\,FP)}\right)",
        source=f"{_PAPER}, Equation 7; Lan et al. (2009).",
        note="It is never below 1, so terms that speak against the class weigh as much as terms that say nothing.",
        worked=r"\log_2\left(2+\frac{<tp>}{\max(1,\,<fp>)}\right)",
        caveat_of=caveats.counts,
        supervised=True,
    ),
    Function(
        name="ConfWeight",
        compute=cd.conf_weight,
        formula="log₂(2·MinPos / (MinPos + MaxNeg)) if MinPos > MaxNeg, else 0",
        latex=r"\begin{aligned}&\log_2\frac{2\,\mathit{MinPos}}{\mathit{MinPos}+\mathit{MaxNeg}}"
        r"\\&\text{if }\mathit{MinPos}>\mathit{MaxNeg},\text{ else }0\end{aligned}",
        source="Soucy and Mineau (2005), Beyond TFIDF weighting.",
        note="It cancels every term that is not surely more frequent in the class: with few positives, most terms.",
        worked=worked_examples.conf_weight,
        caveat_of=caveats.cancelled,
        supervised=True,
        floor=1e-20,
    ),
    Function(
        name="GSS",
        compute=cd.gss,
        formula="Pr(t,c)·Pr(t̄,c̄) − Pr(t̄,c)·Pr(t,c̄) = Pr(c)·Pr(c̄)·(tpr − fpr)",
        latex=r"\Pr(t,c)\Pr(\bar t,\bar c)-\Pr(\bar t,c)\Pr(t,\bar c)=\Pr(c)\Pr(\bar c)\,(tpr-fpr)",
        source="Galavotti, Sebastiani and Simi (2000).",
        note="A plane: rare terms weigh little however clearly they point, and terms that speak against the class are "
        "negative.",
        worked=r"<tp / N>\cdot<tn / N>-<fp / N>\cdot<fn / N>",
        signed=True,
        supervised=True,
    ),
    Function(
        name="OR",
        compute=cd.log_odds_ratio,
        symbol="ln OR",
        formula="ln((N·tpr + 1)(N(1−fpr) + 1) / ((N·fpr + 1)(N(1−tpr) + 1)))",
        latex=r"\ln\frac{(N\,tpr+1)\,(N(1-fpr)+1)}{(N\,fpr+1)\,(N(1-tpr)+1)}",
        source="Mladenić and Grobelnik (1999); the smoothing is this project’s.",
        note="The logarithm of the odds ratio, smoothed to stay finite; it is the same at every prevalence.",
        worked=r"\ln\frac{(<N * tpr>+1)\,(<N * (1 - fpr)>+1)}{(<N * fpr>+1)\,(<N * (1 - tpr)>+1)}",
        signed=True,
        supervised=True,
    ),
    Function(
        name="PMI",
        compute=cd.pointwise_mutual_information,
        formula="log₂((N·tpr + 1) / (N·Pr(t) + 1))",
        latex=r"\log_2\frac{N\,tpr+1}{N\Pr(t)+1}",
        source="Church and Hanks (1990); the smoothing is this project’s.",
        note="It favours rare terms: one that appears once, in the class, outweighs nearly all others.",
        worked=r"\log_2\frac{<N * tpr>+1}{<df>+1}",
        signed=True,
        supervised=True,
    ),
    Function(
        name="BNS",
        compute=cd.bi_normal_separation,
        formula="|Φ⁻¹(tpr) − Φ⁻¹(fpr)|, rates within [.0005, .9995]",
        latex=r"\left|\Phi^{-1}(tpr)-\Phi^{-1}(fpr)\right|",
        source="Forman (2003), An extensive empirical study of feature selection metrics.",
        note="The distance of two normal quantiles: among rare terms it looks at ratios of rates, and terms that speak "
        "against the class weigh as much as those that speak for it.",
        worked=worked_examples.bi_normal_separation,
        caveat_of=caveats.cut_rates,
        supervised=True,
    ),
)

DD: dict[str, Function] = _table(
    Function(
        name="raw",
        compute=dd.raw,
        symbol="f",
        formula="f",
        latex=r"f_{td}",
        source=f"{_PAPER}, Equation 8.",
        note="The tenth occurrence counts as much as the first.",
    ),
    Function(
        name="1+log",
        compute=dd.one_plus_log,
        symbol="1 + ln f",
        formula="1 + ln f",
        latex=r"1+\ln f_{td}",
        source=f"{_PAPER}, Equation 9.",
        note="A document and two copies of it joined do not get the same vector, although they say the same.",
    ),
    Function(
        name="log1p",
        compute=dd.log1p,
        symbol="ln(1 + f)",
        formula="ln(1 + f)",
        latex=r"\ln(1+f_{td})",
        source=f"{_PAPER}, Equation 10.",
        note="Like 1 + ln f, but the second occurrence adds more in proportion.",
    ),
    Function(
        name="binary",
        compute=dd.binary,
        symbol="f > 0",
        formula="1 if f > 0, else 0",
        latex=r"[f_{td}>0]",
        source=f"{_PAPER}, section “Baseline Methods”.",
        note="Only whether the document holds the term counts.",
    ),
    Function(
        name="bm25",
        compute=dd.bm25,
        symbol="BM25 tf",
        formula="(k₁+1)·f / (k₁·((1−b) + b·dl/avdl) + f)",
        latex=r"\frac{(k_1+1)\,f_{td}}{k_1\left((1-b)+b\,\frac{dl}{avdl}\right)+f_{td}}",
        source=f"{_PAPER}, Equation 2; Robertson and Zaragoza (2009).",
        note="It never exceeds k₁ + 1, and long documents need more occurrences for the same value.",
    ),
    Function(
        name="log(1+f/dl)",
        compute=dd.log_relative,
        symbol="ln(1 + f/dl)",
        formula="ln(1 + f/dl)",
        latex=r"\ln\left(1+\frac{f_{td}}{dl}\right)",
        source=f"{_PAPER}, Equation 15.",
        note="The factor of Learning to Weight: nearly linear in f/dl, so document length cancels.",
    ),
)
