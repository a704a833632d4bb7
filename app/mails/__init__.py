"""What mails say: one module for each family of kinds, and what they share."""
