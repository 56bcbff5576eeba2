"""SciPy takes most of a second to load: do so here."""

import scipy.special  # noqa: F401
