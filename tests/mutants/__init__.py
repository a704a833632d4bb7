"""Small faults planted in the code, to see which of them no test notices."""
