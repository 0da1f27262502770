"""The engine's verbs on memories: remember, recall, revise, history, episodes.

Start reading at `remember`; `retrieval.recall` is the other half. It may import `storage`,
`search`, `language`, `providers` and the records, and knows no product: what only an assistant or
a chat does stands in the package of its name.
"""
