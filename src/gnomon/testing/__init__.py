"""Tools for users' own tests: a scripted model, and judges whose faults are known.

    with LoopbackModel(["0.8", RateLimited(retry_after=1), "0.9"]) as model:
        subprocess.run(["my-evaluation"], env=os.environ | model.environment())
        assert model.calls == 3

`loopback.py` is the server, `replies.py` what it can be told to say, `judges.py` the simulated judges.
Nothing here is used by the rest of the package.
"""

from gnomon.testing.judges import MarkedItem, SimulatedJudge, mark, marked_items, read_mark
from gnomon.testing.loopback import LoopbackModel
from gnomon.testing.replies import (
    Asked,
    ClientError,
    CutConnection,
    FullAnswer,
    NoChoices,
    NotJson,
    RateLimited,
    Redirect,
    Reply,
    Script,
    ServerError,
    Slow,
)

__all__ = [
    "Asked",
    "ClientError",
    "CutConnection",
    "FullAnswer",
    "LoopbackModel",
    "MarkedItem",
    "NoChoices",
    "NotJson",
    "RateLimited",
    "Redirect",
    "Reply",
    "Script",
    "ServerError",
    "SimulatedJudge",
    "Slow",
    "mark",
    "marked_items",
    "read_mark",
]
