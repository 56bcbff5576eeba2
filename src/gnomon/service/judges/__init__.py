"""Judges: asked, paid for, measured against people."""
