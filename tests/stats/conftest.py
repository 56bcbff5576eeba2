"""SciPy takes most of a second to load: do so here, before hypothesis puts a clock on each example."""

import scipy.special  # noqa: F401
