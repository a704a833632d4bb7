"""The HTTP API, version 1: operations that translate between JSON and use cases, and their description."""
