"""The back office in which editors keep the programme; never answers readers."""
