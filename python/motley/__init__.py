# SPDX-License-Identifier: BSD-3-Clause
"""Plans for MPI programs on clusters of unequal nodes: the answers of the motley
command as pandas data frames. README.md is the manual; tutorial.ipynb is a good
start."""

from ._place import VERSION as __version__
from .campaigns import Design, Verification
from .inputs import Cluster, Program
from .library import Error, Status
from .models import Models, fit
from .node_count import Scaling, scaling
from .planning import Front, Plan, Predictions, Predictor
from .store import Store
from .surface import Surface, Survey

__all__ = [
    "__version__",
    "Cluster",
    "Design",
    "Error",
    "Front",
    "Models",
    "Plan",
    "Predictions",
    "Predictor",
    "Program",
    "Scaling",
    "Status",
    "Store",
    "Surface",
    "Survey",
    "Verification",
    "fit",
    "scaling",
]
