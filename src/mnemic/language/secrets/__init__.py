"""Secrets in people's texts: keys, tokens, card numbers, passwords, PINs and the numbers of IDs.

Start reading at `recognising`; what it knows of words stands in `secrets.toml`.
"""
