"""Finding, choosing and verifying puzzles."""
