"""The published programme: loading it, the current snapshot, and its copy on disk."""
