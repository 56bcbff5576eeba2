"""Other tools' results come in, and ours go out."""
