"""Time control of seats and people."""
