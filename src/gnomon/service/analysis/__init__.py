"""What stored scores say: summaries, comparisons, gates, trends, leaderboards."""
