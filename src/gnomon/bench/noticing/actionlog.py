"""What an agent did so far today, in short lines: the only thing besides its memory that lasts from beat to beat."""

from gnomon.model.transcript import ToolCall
from gnomon.shorten import shorten

_LONGEST = 60
ACTIONS = {
    "query_wearable": "Looked at the wearable's readings",
    "query_home": "Looked at the home's sensors",
    "query_location": "Looked at the location",
    "query_accounts": "Looked at the accounts",
    "get_recent_updates": "Looked at the last {count} updates",
    "get_contacts": "Looked at the contacts",
    "get_conversations": "Looked at conversations",
    "get_forecast": "Looked at the weather",
    "list_events": "Looked at the calendar",
    "get_balance": "Looked at the balance",
    "get_transactions": "Looked at the last {count} transactions",
    "list_memories": "Listed memory files",
    "read_memory": "Read memory file {key}",
    "write_memory": "Wrote memory file {key}",
    "send_message": "Sent a message to {contact_id}",
    "make_call": "Called {number}",
}
"""How the log tells of a tool's call; what is in braces is taken from its arguments."""


class ActionLog:
    """Remembers every action and shows the last `window` of them."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._lines: list[str] = []

    def record(self, time: str, call: ToolCall) -> None:
        self._lines.append(f"{time} — {summary(call)}")

    def shown(self) -> tuple[list[str], int]:
        """The lines in the window, and how many came before them."""
        earlier = max(len(self._lines) - self._window, 0)
        return self._lines[earlier:], earlier


def summary(call: ToolCall) -> str:
    """One line for a call; one that failed says so."""
    words = ACTIONS.get(call.tool, f"Called {_short(call.tool)}")
    done = words.format_map(_Arguments(call.args)) if call.tool in ACTIONS else words
    if call.ok is False:
        return f"{done}: failed ({_short(call.result.get('message', 'no reason given'))})"
    return f"{done}: no answer" if call.result.get("status") == "no_answer" else done


class _Arguments(dict[str, object]):
    def __getitem__(self, name: str) -> str:
        return _short(self.get(name, "?"))


def _short(value: object) -> str:
    """The value on one line, so that no argument can pass for a line of the log."""
    return shorten(" ".join(str(value).split()), _LONGEST)
