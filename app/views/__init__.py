"""Read side: frozen dataclasses for pages, API and mails. Never writes."""
