"""English: day before month, 24 hours."""
