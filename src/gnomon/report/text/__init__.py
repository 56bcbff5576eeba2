"""Nouns as lines of text for people, for a terminal and for `print` alike.

drawing.py      tables, whiskers, numbers
experiments.py  summaries, comparisons, gates, failed runs
leaderboard.py  leaderboards
"""
