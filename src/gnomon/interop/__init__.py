"""What others write, read. Nothing here computes a statistic or touches a database.

rows.py          files of rows, whatever they mean
tables.py        result tables
trajectories.py  any file of agents' runs as transcripts, recognised by its content
messages.py      lists of messages
inspect.py       logs of Inspect
taubench.py      trajectories of tau-bench
sessions.py      sessions of Claude Code and Codex, with their texts
spans.py         runs as spans, and traces as runs
genai.py         what instrumentations of model calls and tools write into spans
otlp/            OpenTelemetry's protocol: requests, answers, and spans as they were sent
conversation.py  what all of these make: steps, turns, and results joined to their calls
"""
