"""What people who look at an account see: its feed of events, its runs, its places, and why a
memory was not among the hits. Nothing is changed here. Start reading at `account_view`.
"""
