"""The REST API of a chat: items, edges, jobs, scope states, sessions, branches, turns, context.

Start reading at `router`, then `routes.session_routes`.
"""
