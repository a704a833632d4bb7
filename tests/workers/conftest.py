"""What the tests of the processes may ask for by name."""

from tests.servers import postgresql, redis_server
