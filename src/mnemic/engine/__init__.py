"""The verbs of an open memory, account by account: what the dialects call.

Start reading at `memory_verbs`; `chat_verbs` is a chat's view. Their methods are the functions of
the products and of `memory`, bound to a workspace by `workspace_methods`.
"""
