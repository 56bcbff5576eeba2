"""The memory: SQL lives here and nowhere else. Functions take a connection; only `Store` commits."""
