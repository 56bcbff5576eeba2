"""Claude Code's own spans (its tracing is a beta). They are known by their scope, since their names are everybody's.

`input_tokens` leaves cached tokens out, as Anthropic's API does. What a tool gave and what was answered in the end come
as events: see `events.py`.
"""

from gnomon.interop.conventions import values
from gnomon.interop.conventions.convention import Convention, Row, count, model

CONVENTION = Convention(
    title="Claude Code",
    source="https://code.claude.com/docs/en/monitoring-usage",
    rows=(
        Row("user_prompt", "input", values.text),
        Row("full_command", "input", values.text),
        Row("file_path", "input", values.text),
        *model("model"),
        *count("tokens_uncached", "input_tokens"),
        *count("tokens_output", "output_tokens"),
        *count("tokens_cached", "cache_read_tokens"),
        *count("tokens_written", "cache_creation_tokens"),
    ),
    operations={
        "span.type": {
            "interaction": "agent",
            "llm_request": "model_call",
            "tool": "tool",
            "tool.blocked_on_user": "chain",
            "tool.execution": "chain",
        },
    },
    scopes=("com.anthropic.claude_code",),
)
