"""Versions of rows, edits and the news that edits tell; without a check of rights."""
