"""Steps as Triton kernels; needs Triton, so that nothing imports it but the fused groups.

The problems' parts of an array lie one after the other and are not filled up. Every program of a kernel works on one
problem, on a stretch of its pairs, documents, terms or parameters that does not depend on the other problems, and adds
up in an order that is fixed by that stretch alone, without atomic additions: so a problem's numbers are the same bits
whatever is learned beside it. Names that all share:

==========  =========================  ============================================================================
name        shape                      meaning
==========  =========================  ============================================================================
theta       (parameters,)              of all problems: layers (W1, b1, W2, b2) of each, or of LTW-G z and then b2,
                                       then W3 (F,) and b3 (B,)
constants   (9,) float64               rate, log β1, log β2, β1, β2, ε of Adam; with dropout p p / (1 - p), 1 / (1 - p),
                                       and the ``threshold`` of p
at          (1,) int64                 the step of the block that is made now
rows        (steps, B, N) int32        documents of each batch, -1 where it is smaller
sizes       (steps, B) int32           how many there are
numbers     (steps, B) int64           number of the step since the problem's random numbers began
keys        (B, 3) int64               keys of the random numbers, by stream
terms       (B + 1,) int32             where each problem's terms begin among all F
counts      (B + 1,) int32             where each problem's distinct counts begin among all, of a learned dd
begins      (2, B) int64               the first document of each problem, and its first entry
starts      (documents + 1,) int64     where a document's entries begin in columns, dd, frequency and entry
cd, noise   (F,)                       a term's cd with its dropout, and the normal number in it
==========  =========================  ============================================================================
"""
