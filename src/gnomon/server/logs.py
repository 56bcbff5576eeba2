"""What a server writes to stderr: one JSON object per line, without payloads, keys or queries."""

import json
import logging
import sys
from datetime import UTC, datetime

from gnomon.model import moment

LEVELS = ("debug", "info", "warning", "error")


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": moment.iso(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            **(record.args if isinstance(record.args, dict) else {}),
        }
        line.setdefault("message", record.getMessage())
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def set_up(level: str) -> None:
    """Log from this level on; a level that is none is taken as `info`."""
    to_stderr = logging.StreamHandler(sys.stderr)
    to_stderr.setFormatter(_Lines())
    logging.basicConfig(level=(level if level in LEVELS else "info").upper(), handlers=[to_stderr])
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
