"""Positions in the referee's form, in and out."""
