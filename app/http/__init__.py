"""What pages and API share: the application, who is asking, limits, errors, caches."""
