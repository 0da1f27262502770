"""Logs, traces and request ids, and who is told what a memory does. None of it holds content.

Start reading at `observer`.
"""
