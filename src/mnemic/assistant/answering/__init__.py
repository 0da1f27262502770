"""Replies without a language model: judge what was recalled, turn it to the reader, quote it.

Start reading at `reply`. It may import `assistant.understanding`, `memory` and `language`.
"""
