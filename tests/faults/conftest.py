"""What these tests may ask for by name."""

from tests.servers import database_url, postgresql, postgresql_url, sqlite_folder
