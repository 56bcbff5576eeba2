"""Agent benchmarks: run, scored, ranked, sent to a server."""
