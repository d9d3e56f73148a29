"""One module per command, or per few that belong together. Each has `add`, which adds it to the command line.

- games, rules, draw: list the games, print their rules, draw their boards
- play: play in the terminal
- trace: trace, replay, verify
- sim: simulate random games
- arena, solve, review, train: bots against each other, the solver, reviews, training
- serve: the web server
- store: backup, restore, check
- custom_files: deck check, track check
"""
