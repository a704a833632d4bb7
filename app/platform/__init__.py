"""What every service needs: settings, database, words, errors. Knows nothing of matches."""
