"""Which endpoints the caller of a share may call: those of its view, about the objects that the share is bound to.

An endpoint that declares none of these is closed to shares. A check sees the whole address, so that an object that a
query names is checked as one that stands in the path.
"""

from collections.abc import Mapping

from gnomon.model.share import SharedKind, SharedView
from gnomon.server.endpoints import SharedRule


def always(view: SharedView, path: Mapping[str, str], query: Mapping[str, tuple[str, ...]]) -> bool:
    """Whatever is shared: an endpoint that speaks of the share itself."""
    return True


def in_path(*kinds: SharedKind, names: tuple[str, ...] = ("id",)) -> SharedRule:
    """The ids in the path are all of the share."""

    def is_shared(view: SharedView, path: Mapping[str, str], query: Mapping[str, tuple[str, ...]]) -> bool:
        return view.kind in kinds and all(path[name] in view.ids for name in names)

    return is_shared


def in_query(kind: SharedKind, name: str, **fixed: str) -> SharedRule:
    """The query names the share's object, once, and these other parameters with these values."""

    def is_shared(view: SharedView, path: Mapping[str, str], query: Mapping[str, tuple[str, ...]]) -> bool:
        if view.kind != kind or any(query.get(other) != (value,) for other, value in fixed.items()):
            return False
        return query.get(name) in [(id,) for id in view.ids]

    return is_shared


def runs_of(kind: SharedKind) -> SharedRule:
    """A run by its id: that it belongs to the share's experiment, the service checks (`Principal.sees_runs_of`)."""

    def is_shared(view: SharedView, path: Mapping[str, str], query: Mapping[str, tuple[str, ...]]) -> bool:
        return view.kind == kind

    return is_shared
