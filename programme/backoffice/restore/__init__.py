"""The history pages of the back office, from which earlier versions and deleted rows are restored."""
