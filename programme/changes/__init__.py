"""Changes and plans: the one way to change, preview, authorize, write and undo rows."""
