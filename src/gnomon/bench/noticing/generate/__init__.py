"""Days drawn from a seed: the same bytes for the same arguments, whatever the machine and the Python.

day.py         a whole package, and its answer key
kind.py        kinds of days, as data; evolution.py lays one over an ordinary day
worlds.py      whose day it is; phrases.py what comes in
schedule.py    what the person does when
chance.py      random numbers
fields.py      decimals and limits of the numbers in a beat
tools.py       modules and tools of each tier
wearable.py, location.py, weather.py, calendar.py, comms.py, financial.py, home.py   an ordinary day, module by module
"""

from gnomon.bench.noticing.generate.day import DEFAULT_DATE, GENERATOR_VERSION, generate
from gnomon.bench.noticing.generate.kind import Kind, kinds

__all__ = ["DEFAULT_DATE", "GENERATOR_VERSION", "Kind", "generate", "kinds"]
