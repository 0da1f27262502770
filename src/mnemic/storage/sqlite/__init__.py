"""The embedded backend: one file, many threads and processes.

Only here is the SQLite driver known. Start reading at `database`, then `connection`.
"""
