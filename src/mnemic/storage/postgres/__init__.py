"""The PostgreSQL backend: the same tables and statement names, for many machines.

Only here is the PostgreSQL driver known. Start reading at `database`, then `transactions`.
"""
