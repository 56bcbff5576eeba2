"""Call a foreign HTTP endpoint or command, with limits on time and size."""


class CallFailed(Exception):
    """There is no answer, or none that can be used. The message is one line that says why."""


class CallTimedOut(CallFailed):
    """There was no answer in time. It is no TimeoutError: those are for deadlines of the caller."""


def in_one_line(text: str) -> str:
    return " ".join(text.split())
