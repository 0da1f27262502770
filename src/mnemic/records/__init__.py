"""The nouns, as immutable values: memories, items, conversations, keys, filters, queries.

A value changes shape twice: from the wire to a record in a dialect, and from a record to a row in
`storage`. Records import nothing but errors. Start reading at `memory`.
"""
