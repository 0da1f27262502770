"""`mnemic serve`: one ASGI application with every API on one memory.

Start reading at `app`; every request passes `access.guard` first.
"""
