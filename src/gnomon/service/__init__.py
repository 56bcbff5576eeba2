"""The verbs: the only rooms that join the store and the logic. One function is one transaction's work."""
