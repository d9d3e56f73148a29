"""Training of the networks of Ur.

`train` alternates self-play and learning (`learning`). `selfplay` has the kernels that play. `checkpoint` saves the
state of training.
"""
