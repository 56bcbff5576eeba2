"""Failed jobs in the log: one line per second at most, with the reason of the last one and how many there were."""

import logging
from collections.abc import Mapping

from gnomon.throttle import ThrottledLine


def failure_line(log: logging.Logger) -> ThrottledLine:
    """Where failed jobs are noted. An event has `job_id` and `reason`; a model's job also has `model`."""

    def write(event: Mapping[str, object]) -> None:
        count = 1 + int(str(event["held_back"]))
        words = "a scoring job failed" if count == 1 else f"{count:,} scoring jobs failed, the last one"
        log.warning(f"{words}: {event['reason']}".replace("%", "%%"), event)

    return ThrottledLine(write)
