"""The latest changes: what each batch did, row by row, and undoing it."""
