"""Work that is accepted now and finished later, and the workers that finish it."""
