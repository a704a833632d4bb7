"""Who somebody is: accounts, sessions, tokens."""
