"""Background work: the outbox relay, the sweep of deadlines, the inbox, bots and cleanup."""
