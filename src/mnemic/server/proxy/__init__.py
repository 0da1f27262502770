"""Chat completions with a memory, before any server that speaks OpenAI's API.

Start reading at `completion_proxy`. It may import the dialect `openai` and everything below; how a
conversation is followed is decided there.
"""
