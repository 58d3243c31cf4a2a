"""The description of the API in OpenAPI 3.1, built from the code that it describes."""

from programme.api.openapi.document import build_document

__all__ = ["build_document"]
