"""The nouns: frozen pydantic classes, no I/O. `XDraft` is what a caller may send, `X` what we keep."""
