"""The review of a finished game.

`review` judges every decision. `chart` draws the chances over the game, as SVG or PNG.
"""
