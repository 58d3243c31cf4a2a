"""The public pages, written from the same snapshot as the API, without queries of the programme."""
