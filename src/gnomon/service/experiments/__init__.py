"""Datasets, experiments and their runs."""
