"""The verbs of an open memory, account by account: what the dialects call.

Start reading at `memory_verbs`; `chat_verbs` is a chat's view. They stand above the products.
"""
