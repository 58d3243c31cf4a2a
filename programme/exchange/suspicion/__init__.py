"""Looks at a programme that a file would make as a person would, and names what seems odd."""
