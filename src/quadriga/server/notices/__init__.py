"""Notices: tell people who are elsewhere that a game waits for them.

`outbox` is what is to be told, `channels` where, `choices` what and when. `sender` decides and sends; `push`,
`webhook` and `letter` speak to the three kinds of channels, `http` connects, `texts` has the words.
"""
