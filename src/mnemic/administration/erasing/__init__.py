"""Erasing: find what is meant, delete it with all that was derived, leave a receipt.

Start reading at `erase`.
"""
