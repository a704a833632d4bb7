"""What a turn may cost a person: clicks, bytes, pixels and milliseconds, measured in a real browser."""
