"""Changes and plans: the one way in which rows are changed, previewed, judged, written and undone."""
