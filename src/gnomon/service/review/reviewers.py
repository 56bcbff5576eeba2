"""Who reviews, and what a key of the role reviewer may do beyond what its endpoints say."""

from gnomon.errors import Forbidden, InvalidInput
from gnomon.service.call import Call


def acting_as(call: Call, annotator: str | None) -> str | None:
    """The name under which the caller reviews: that of a reviewer's key; with other keys the given name, if any."""
    if not call.principal.is_reviewer:
        return annotator
    if annotator is not None and annotator != call.principal.name:
        raise Forbidden(f"this key reviews as {call.principal.name!r} and not as {annotator!r}; leave `annotator` out")
    return call.principal.name


def needed(call: Call, annotator: str | None) -> str:
    """The same, where there must be one."""
    name = acting_as(call, annotator)
    if name is None:
        raise InvalidInput.of("annotator", "annotator is missing; give the reviewer's name")
    return name


def refuse_others(call: Call, annotator: str) -> None:
    """A reviewer changes only what it said itself."""
    if call.principal.is_reviewer and annotator != call.principal.name:
        raise Forbidden("this annotation is another reviewer's; a reviewer's key changes only its own")
