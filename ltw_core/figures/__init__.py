"""Plotly figures. They take arrays or frames, return a Figure, and know nothing of files, sessions or widgets.

Every figure takes ``base`` ("light" or "dark"), sets ``uirevision``, and carries a sentence of alternative text that
``theme.alt(figure)`` returns.
"""

from ltw_core.figures import palette, theme
from ltw_core.figures.bars import f1_comparison, prevalence, top_terms
from ltw_core.figures.bump_chart import bump_chart
from ltw_core.figures.collection import document_lengths, label_overlap, label_pairs, vocabulary_growth, zipf
from ltw_core.figures.confusion import confusion_matrix
from ltw_core.figures.contours import contours
from ltw_core.figures.critical import critical_difference
from ltw_core.figures.curves import training
from ltw_core.figures.differences import DrawnDifference, differences_by_reason, differences_from
from ltw_core.figures.export import NotebookFigure, html
from ltw_core.figures.f1_heatmap import f1_heatmap
from ltw_core.figures.formula_front import formula_front
from ltw_core.figures.input_surface import input_surface
from ltw_core.figures.learning import LearningLine, learning_curves
from ltw_core.figures.likeness import likeness_map, likeness_matrix, likeness_scale
from ltw_core.figures.lines import curves_over_steps, dd_curves, slices
from ltw_core.figures.overlay import TrainingCurve, overlay
from ltw_core.figures.plane import Grid, surface_grid, term_grid
from ltw_core.figures.plane_view import CANONICAL, PlaneView, SurfacePanel
from ltw_core.figures.points import terms_of
from ltw_core.figures.precision_recall import PrecisionRecall, precision_recall
from ltw_core.figures.scene import SYNC_CAMERAS
from ltw_core.figures.score_intervals import DrawnScore, score_intervals
from ltw_core.figures.score_parts import asked, f1_differences, f1_drawn, score_parts
from ltw_core.figures.seconds import f1_by_seconds
from ltw_core.figures.studies import difference_by_prevalence, f1_by_prevalence
from ltw_core.figures.surfaces import surfaces
from ltw_core.figures.terms import term_map
