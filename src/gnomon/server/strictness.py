"""Fields that are not known: named in a header of the answer, or refused when the caller prefers that."""

import re
from collections.abc import Sequence
from urllib.parse import quote

from starlette.datastructures import Headers

from gnomon.errors import Problem
from gnomon.model.problems import problems_of
from gnomon.model.reading import Unknown, UnknownField

IGNORED = "Gnomon-Ignored"
APPLIED = "Preference-Applied"
STRICT = "handling=strict"
_LONGEST_PATH = 200
_LONGEST_LINE = 1000  # what is read of it; unclosed quotes take time that grows with the square of the length
_LISTED = re.compile(r'(?:[^,"]|"(?:\\.|[^"\\])*")+')
_BEFORE_PARAMETERS = re.compile(r'(?:[^;"]|"(?:\\.|[^"\\])*")+')


def prefers_strict(headers: Headers) -> bool:
    """Whether `Prefer` says handling=strict (RFC 7240): any case, among others, and the first `handling` counts."""
    for line in headers.getlist("prefer"):
        for listed in _LISTED.findall(line[:_LONGEST_LINE]):
            preference = _BEFORE_PARAMETERS.match(listed)
            name, _, value = preference.group().partition("=") if preference else ("", "", "")
            if name.strip().lower() == "handling":
                return value.strip().strip('"').lower() == "strict"
    return False


def ignored_header(unknown: Unknown) -> str:
    """The paths, percent-encoded, and how many more there are."""
    paths = [encoded_path(field) for field in unknown.named]
    more = unknown.count - len(paths)
    return ", ".join([*paths, f"+{more}"] if more else paths)


def encoded_path(unknown: UnknownField) -> str:
    """`runs.0.scores.1.remark`; a dot inside of a name is %2E, and what is cut ends with an encoded ellipsis."""
    path = ".".join(quote(str(part)[:_LONGEST_PATH], safe="").replace(".", "%2E") for part in unknown.path)
    if len(path) <= _LONGEST_PATH:
        return path
    return re.sub(r"%[0-9A-F]?$", "", path[:_LONGEST_PATH]) + "%E2%80%A6"


def problems_with(unknown: Unknown) -> list[Problem]:
    """Each unknown field as a problem that names the nearest known one, with the code of a malformed field there."""
    problems: list[Problem] = []
    for field in unknown.named:
        in_span = field.path[0] == "spans" and len(field.path) > 2
        error = {"loc": _shown(field.path), "type": "unknown_field", "msg": field.words}
        problems += problems_of([error], default="INVALID_SPAN" if in_span else "INVALID_REQUEST")
    return problems


def _shown(path: Sequence[str | int]) -> list[str | int]:
    return [part if isinstance(part, int) else part[:_LONGEST_PATH] for part in path]
