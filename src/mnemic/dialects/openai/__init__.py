"""OpenAI's chat completions: what an app sends to a model becomes turns, and memory goes with it.

Start reading at `completion_request`, then `session_recorder`.
"""
