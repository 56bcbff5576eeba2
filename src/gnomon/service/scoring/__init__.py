"""Scores are attached to runs, spans and conversations."""
