"""CCA, the Combined Component Approach: a term weighting function found by genetic programming.

Formulas are trees of + × ÷ log over classic factors; they are bred for the validation F1 of a logistic regression.

References
----------
De Almeida et al. (2007), A combined component approach for finding collection-adapted ranking functions based on
genetic programming; adapted to binary classification in the paper's section "Implementation Details".
"""

__all__ = ["CombinedComponents"]


def __getattr__(name):
    if name == "CombinedComponents":  # imported on first use: scikit-learn and DEAP take a second
        from ltw_core.weighting.genetic.estimator import CombinedComponents

        return CombinedComponents
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
