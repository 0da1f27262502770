"""Secrets in people's texts: keys, tokens, card numbers, passwords, PINs and the numbers of IDs.

What it knows of words stands in `secrets.toml`. Start reading at `recognising`.
"""
