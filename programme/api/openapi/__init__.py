"""The description of the API in OpenAPI 3.1, built from the code that it describes."""
