"""Background work: enqueue it, lease it, do it, list it.

Start reading at `execute`, which says what each type of job does. Jobs are written in the
transaction that causes them; the loop that takes them is in `mnemic.worker`.
"""
