"""Replies without a language model: gather what comes close, turn it to the reader, quote it.

Start reading at `gathering`, then `reply`. It may import `assistant.understanding`, `memory` and
`language`.
"""
