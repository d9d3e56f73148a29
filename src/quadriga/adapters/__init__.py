"""Other people's worlds: our games as environments of PettingZoo, OpenSpiel and Gymnasium.

Each module here needs the extra of its name, and nothing else in the house imports any of them.
"""
