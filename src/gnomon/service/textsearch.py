"""Whether a project's root spans are searched by their words."""

from gnomon.model.traceviews import TextSearch, TextSearchDraft
from gnomon.service import projects
from gnomon.service.call import Call


def get(call: Call, project_id: str) -> TextSearch:
    projects.get(call, project_id)
    return TextSearch(project_id=project_id, enabled=True, ready=True)


def put(call: Call, project_id: str, draft: TextSearchDraft) -> TextSearch:
    projects.get(call, project_id)
    raise NotImplementedError
