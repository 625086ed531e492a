"""CCA, the Combined Component Approach: a term weighting function found by genetic programming.

Formulas are trees of + × ÷ log over classic factors; they are bred for the validation F1 of a logistic regression.

References
----------
De Almeida et al. (2007), A combined component approach for finding collection-adapted ranking functions based on
genetic programming; adapted to binary classification in the paper's section "Implementation Details".
"""
