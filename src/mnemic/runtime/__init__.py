"""What every layer may use: time budgets, patterns, turns, private files, the key of a store.

It imports nothing but errors. Start reading at `budgets`.
"""
