"""The host's identity provider, by OpenID Connect: where people sign in there, and who has done so."""
