"""The index in this process: words, vectors, columns, and the snapshot it starts from.

A cache of the store that can be thrown away. It knows no backend: a store hands it rows. Start
reading at `index`, then `channels`; `arrays` holds what they are made of.
"""
