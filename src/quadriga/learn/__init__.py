"""Learn the games: lessons on the real board. A game's package holds its lessons in `lessons.toml`."""
