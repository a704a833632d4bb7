"""The event log: append, load, fold, state at a position."""
