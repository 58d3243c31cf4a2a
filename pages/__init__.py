"""The public pages, written from the same snapshot as the API. It queries nothing and stores nothing."""
