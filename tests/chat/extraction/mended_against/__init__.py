"""Turns with what a careful reader takes from them, in the order in which they were written.

The rules were mended against every one of these sets after a first look at it, so a good score
here says that nothing broke, not how rules read talk that they have never met.
"""
