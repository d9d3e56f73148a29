"""The interactive game in the terminal.

- session: play a game to its end
- prompt: read and answer what the player types
- compound: put offers and bribes together
- departure: leave by signals, with the game saved
- thinking, hints: bots in the terminal
- board: print positions, actions and reasons
- saves: seat players, save games and resume them
"""
