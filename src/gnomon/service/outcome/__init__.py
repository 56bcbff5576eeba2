"""Outcome scores of coding-agent iterations."""
