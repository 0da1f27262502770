"""What makes a process start fast and stay small; docs/explanation/startup.md says what each buys.

It imports nothing of Mnemic. Start reading at `lean_sdk`.
"""
