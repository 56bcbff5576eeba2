"""Addresses of pages of the web application, on the server that has the data."""

from urllib.parse import quote


def experiment_page(server: str | None, project_id: str, experiment_id: str) -> str | None:
    """None without a server."""
    return _page(server, project_id, "experiments", experiment_id)


def comparison_page(server: str | None, project_id: str, base_id: str, candidate_id: str) -> str | None:
    """None without a server."""
    return _page(server, project_id, "compare", base_id, candidate_id)


def _page(server: str | None, project_id: str, *parts: str) -> str | None:
    if server is None:
        return None
    return "/".join([server.rstrip("/"), "projects", *(quote(part, safe="") for part in (project_id, *parts))])
