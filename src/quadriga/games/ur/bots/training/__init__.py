"""Training of the network for Ben's Ur.

`train` alternates self-play and learning. `selfplay` has the kernels that play. `checkpoint` saves the state of
training.
"""
