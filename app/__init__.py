"""The service around the engine: commands today; store, pages and mails come with it."""
