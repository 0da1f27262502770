"""Reading a turn without a language model: who speaks, what they state, promise and end.

Start reading at `stated_facts`. What is known of a language is data (`english.toml`,
`chinese.toml`), put together in `phrase_tables`.
"""
