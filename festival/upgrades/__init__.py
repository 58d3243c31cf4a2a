"""Versions: which has migrated the database, and which may run on it; it migrates nothing itself."""
