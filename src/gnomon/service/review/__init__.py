"""Review by people: the queue and its cards, annotations, a project's label set, and whether reviewers agree."""
