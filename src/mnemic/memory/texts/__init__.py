"""What follows from a memory's text: its category and summary, its terms, its vector.

Start reading at `derivation`.
"""
