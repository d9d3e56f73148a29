"""What the server does for its store in the background, one process at a time: it packs the logs of old games."""
