"""Draw the game: in the terminal, as a picture, and the data for the page."""
