"""The files of chat apps: conversations with their swipes and branches, and books of lore.

Start reading at `chat_import`; there is one module for each format. What they share is a tree of
messages, from which the turns of a session follow.
"""
