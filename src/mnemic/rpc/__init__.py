"""Every verb of an open memory over HTTP, for `mnemic.Client`: the verbs, and values as JSON.

Server and client both import it. Start reading at `verbs`.
"""
