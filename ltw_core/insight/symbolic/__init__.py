"""From a surface to a formula: symbolic regression of a weighting over a class's terms.

``discover`` gives a front of formulas, longer ones nearer to the weighting; each is written in the language of one's
own formulas, so that it is a weighting like any other.
"""

from ltw_core.insight.symbolic.discover import Budget, Front, FrontPoint, discover
from ltw_core.insight.symbolic.shared_target import SharedTarget
from ltw_core.insight.symbolic.target import Target
