"""For whoever runs a memory: keys, counts, health, upkeep.

It may import the products and everything below. Start reading at `inspection`.
"""
