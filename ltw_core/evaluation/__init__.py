"""How well classifiers do with a weighting: learners and grids, tuning and testing, averages, significance."""

from ltw_core.evaluation.averages import macro_f1, micro_f1, with_test_positives
from ltw_core.evaluation.base_learner import GRIDS
from ltw_core.evaluation.best import behind_best, compared
from ltw_core.evaluation.curve_plan import curve_sizes
from ltw_core.evaluation.decisions import Decisions, precision_recall
from ltw_core.evaluation.disagreement import disagreement, term_differences
from ltw_core.evaluation.exploring import Explored, explore
from ltw_core.evaluation.exported_vectors import ExportedVectors, export_vectors, read_vectors
from ltw_core.evaluation.learner_table import LEARNERS, learner, learners, register, short_learner
from ltw_core.evaluation.learning_curve import LearningCurve, learning_curve
from ltw_core.evaluation.multiclass import decide_multiclass, evaluate_multiclass, is_native
from ltw_core.evaluation.multiclass_result import MulticlassDecisions, MulticlassResult
from ltw_core.evaluation.multiclass_vectors import MulticlassVectors, weigh_classes
from ltw_core.evaluation.paired import (
    Difference,
    difference,
    difference_of_counts,
    difference_of_pooled,
    difference_over_classes,
    interval_over_classes,
    mcnemar,
)
from ltw_core.evaluation.ranks import Ranks, average_ranks, cliques
from ltw_core.evaluation.result import Result, describe, results_frame
from ltw_core.evaluation.significance import dagger, p_value
from ltw_core.evaluation.tuning import decide, evaluate, evaluate_vectors
from ltw_core.evaluation.uncertainty import F1Estimate, Interval, estimate
from ltw_core.evaluation.vectors import Vectors, weigh
from ltw_core.evaluation.verdicts import in_documents, interval_text, verdict, verdict_on, verdicts
from ltw_core.metrics import decimals
from ltw_core.weighting.progress import Cancelled, Progress
