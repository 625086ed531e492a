"""How well classifiers do with a weighting: learners and grids, tuning and testing, averages, significance."""

from ltw_core.evaluation.averages import macro_f1, micro_f1, with_test_positives
from ltw_core.evaluation.classifiers import GRIDS
from ltw_core.evaluation.decisions import Decisions, precision_recall
from ltw_core.evaluation.disagreement import disagreement, term_differences
from ltw_core.evaluation.learner_table import LEARNERS, learner, learners, register
from ltw_core.evaluation.ranks import Ranks, average_ranks, cliques
from ltw_core.evaluation.result import Result, describe
from ltw_core.evaluation.significance import dagger, p_value
from ltw_core.evaluation.tuning import decide, evaluate, evaluate_vectors
from ltw_core.evaluation.vectors import Vectors, weigh
from ltw_core.weighting.progress import Cancelled, Progress
