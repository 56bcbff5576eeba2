"""What others write, read: result tables today. Nothing here computes a statistic or touches a database."""
