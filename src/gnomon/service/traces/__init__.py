"""Traces: how they come in, and how they are found and read again."""
