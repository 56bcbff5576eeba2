"""Spans and traces on SQLite and PostgreSQL: the functions of `SpanStore`, by subject."""

from gnomon.store.sqlspans.arriving import add, add_logs, add_sources, change_view
from gnomon.store.sqlspans.conversationdetails import errors_of, first_turns, worst_scores
from gnomon.store.sqlspans.conversations import conversations, find_conversation, last_change, turns
from gnomon.store.sqlspans.index import declare_keys, index_values, indexed_keys, keys_ready
from gnomon.store.sqlspans.listing import page
from gnomon.store.sqlspans.reading import (
    at,
    by_id,
    costs_of_runs,
    count,
    count_traces,
    find,
    find_span,
    heads,
    hold,
    known,
    logs_of,
    sources,
    spans_of,
    to_filter,
    traces_of_runs,
    walk,
)
from gnomon.store.sqlspans.removing import remove
from gnomon.store.sqlspans.search import (
    fold_texts,
    forget_some,
    index_traces,
    set_text_search,
    text_search_of,
    texts_are_pending,
    traces_to_index,
)
from gnomon.store.sqlspans.views import span_heads, sums_by_time, texts_of, to_count

__all__ = [
    "add", "add_logs", "add_sources", "at", "by_id", "change_view", "conversations", "costs_of_runs", "count",
    "count_traces", "declare_keys", "errors_of", "find", "find_conversation", "find_span", "first_turns", "fold_texts",
    "forget_some", "heads",
    "hold", "index_traces", "index_values", "indexed_keys", "keys_ready", "known", "last_change", "logs_of", "page",
    "remove", "set_text_search", "sources", "span_heads", "spans_of", "sums_by_time", "text_search_of",
    "texts_are_pending", "texts_of", "to_count", "to_filter", "traces_of_runs", "traces_to_index", "turns", "walk",
    "worst_scores",
]  # fmt: skip
