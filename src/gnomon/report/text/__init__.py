"""Nouns as lines of text for people, for a terminal and for `print` alike.

drawing.py      tables, whiskers, numbers
card.py         report cards of judges, what to label next
experiments.py  summaries, comparisons, gates, failed runs
leaderboard.py  leaderboards
"""
