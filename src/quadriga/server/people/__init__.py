"""People: who somebody is, on every device, and which games they play.

`accounts` creates, finds, merges and deletes people; `devices` has their devices and the keys of their bots;
`proofs` has the ways to prove who one is (recovery code, code for another device), and `passkeys` those of the
browser, and `mail_codes` codes by e-mail. `company` has friends, blocks and invitations. `history` lists games and
counts results. `codes` makes and hashes secrets. Everything here works on any store.
"""
