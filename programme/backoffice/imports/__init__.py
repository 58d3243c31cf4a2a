"""The pages on which editors import files; the merging itself is in programme/exchange."""
