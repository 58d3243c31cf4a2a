"""Every version of every row: edits, the timeline and restoring; never decides who may do it."""
