"""Deletes daily what is of no use any more, and nothing of the programme."""
