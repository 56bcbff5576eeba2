"""One file a noun. A route is three lines: parse, call, return."""
