"""Who is let in: keys, rights, addresses, limits, and what is said to those who are not.

Start reading at `guard`.
"""
