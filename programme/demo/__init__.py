"""The demo: an invented festival, its readable files and what creates it; never part of a real programme."""
