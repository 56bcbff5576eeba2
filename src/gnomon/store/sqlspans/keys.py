"""Looking up many spans by their whole keys, one step in the primary key for each."""

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model import jsonvalue
from gnomon.store.schema import spans


def listed(db: Connection, keys: Collection[tuple[str, ...]], names: tuple[str, ...]) -> sa.FromClause:
    """These tuples as a table with columns of these names: one statement, however many there are."""
    if db.dialect.name == "postgresql":
        columns = [sa.bindparam(None, list(column), type_=sa.ARRAY(sa.Text)) for column in zip(*keys, strict=True)]
        return sa.func.unnest(*columns).table_valued(*names).render_derived(name="listed")
    text = jsonvalue.dump(list(keys))
    elements = sa.func.json_each(sa.bindparam(None, text, type_=sa.Text)).table_valued("value", name="each_key")
    parts = [
        sa.func.json_extract(elements.c.value, sa.literal_column(f"'$[{at}]'")).label(name)
        for at, name in enumerate(names)
    ]
    return sa.select(*parts).select_from(elements).subquery("listed")


def among(db: Connection, keys: Collection[tuple[str, str, str]], *columns: Any) -> sa.Select[Any]:
    """The stored spans with these keys (project id, trace id, span id)."""
    wanted = listed(db, keys, ("project_id", "trace_id", "id"))
    same = sa.and_(*(spans.c[name] == wanted.c[name] for name in ("project_id", "trace_id", "id")))
    return sa.select(*(columns or (spans,))).select_from(wanted.join(spans, same))
