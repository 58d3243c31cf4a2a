"""The description of the API in OpenAPI 3.1, made of what the service itself is made of."""

from programme.api.openapi.document import document

__all__ = ["document"]
