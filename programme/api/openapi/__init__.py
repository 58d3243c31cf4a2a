"""The description of the API in OpenAPI 3.1, made of what the service itself is made of."""

from programme.api.openapi.document import build_document

__all__ = ["build_document"]
