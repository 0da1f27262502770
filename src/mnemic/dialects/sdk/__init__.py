"""The verbs of the Python SDK over HTTP, for `mnemic.Client`."""
