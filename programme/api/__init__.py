"""The HTTP API: views, parameters, negotiation, responses, OpenAPI; never queries the programme."""
