"""SciPy takes most of a second to load: do so here. Resampling takes its time too, and on a busy machine
more of it: no clock decides about an example."""

import scipy.special  # noqa: F401
from hypothesis import settings

settings.register_profile("no clock", deadline=None)
settings.load_profile("no clock")
