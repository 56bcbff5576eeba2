"""The parts of an evaluation: its data, how tasks and scorers are called, what scorers return, what identifies it."""
