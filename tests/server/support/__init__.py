"""Real servers, clients and disks for the tests of the server."""
